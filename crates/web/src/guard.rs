//! Who may ask: only pages of this server, under a name of its own. Answers say what browsers may do with them.

use std::net::IpAddr;

use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

use crate::error::ApiError;
use crate::state::App;

/// Only what this server sends; no inline code.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; \
    font-src 'self'; connect-src 'self'; manifest-src 'self'; worker-src 'self'; base-uri 'none'; form-action 'none'; \
    frame-ancestors 'none'";

const HEADERS: [(HeaderName, &str); 6] = [
    (header::CONTENT_SECURITY_POLICY, POLICY),
    (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (header::X_FRAME_OPTIONS, "DENY"),
    (header::REFERRER_POLICY, "no-referrer"),
    (HeaderName::from_static("cross-origin-opener-policy"), "same-origin"),
    (HeaderName::from_static("cross-origin-resource-policy"), "same-origin"),
];

/// Refuses foreign requests and protects the answers to others.
pub(crate) async fn guard(State(app): State<App>, request: Request, next: Next) -> Response {
    let mut response = match check(&app, &request) {
        Ok(()) => next.run(request).await,
        Err(error) => {
            tracing::warn!(reason = error.fault.message, "request refused");
            error.into_response()
        }
    };
    for (name, text) in HEADERS {
        response.headers_mut().insert(name, HeaderValue::from_static(text));
    }
    response
}

fn check(app: &App, request: &Request) -> Result<(), ApiError> {
    let refuse = |message: &str| Err(ApiError::new(StatusCode::FORBIDDEN, message));
    let headers = request.headers();
    let named = text(headers, &header::HOST).or_else(|| request.uri().authority().map(|host| host.as_str()));
    let Some(host) = named else {
        return Err(ApiError::new(StatusCode::BAD_REQUEST, "a request needs the header Host"));
    };
    if !is_own(app, host) {
        return refuse("this server answers under its own name only; start it with --host NAME to add one");
    }
    if let Some(origin) = text(headers, &header::ORIGIN)
        && origin.strip_prefix("http://").or_else(|| origin.strip_prefix("https://")) != Some(host)
    {
        return refuse("pages of other sites may not ask this server");
    }
    // Browsers say where a request comes from; a link from elsewhere to the page is welcome.
    let site = headers.get("sec-fetch-site").and_then(|site| site.to_str().ok());
    let is_link = request.method() == Method::GET
        && headers.get("sec-fetch-mode").is_some_and(|mode| mode == "navigate")
        && !request.uri().path().starts_with("/api/");
    if matches!(site, Some("cross-site" | "same-site")) && !is_link {
        return refuse("pages of other sites may not ask this server");
    }
    Ok(())
}

fn text<'h>(headers: &'h HeaderMap, name: &HeaderName) -> Option<&'h str> {
    headers.get(name).map(|value| value.to_str().unwrap_or_default())
}

/// Whether a host, with or without its port, is this server. A page elsewhere may give its own name the address of this
/// machine, but not an address or `localhost` another meaning.
fn is_own(app: &App, host: &str) -> bool {
    let name = match host.strip_prefix('[').and_then(|rest| rest.split_once(']')) {
        Some((address, _)) => address,
        None => host.rsplit_once(':').map_or(host, |(name, _)| name),
    };
    let listen = app.config.listen.ip();
    match name.parse::<IpAddr>() {
        Ok(address) => address.is_loopback() || address == listen || listen.is_unspecified(),
        Err(_) => {
            let is_named = |known: &String| known.eq_ignore_ascii_case(name);
            name.eq_ignore_ascii_case("localhost") || app.config.hosts.iter().any(is_named)
        }
    }
}

//! TLS with certificates that are always verified.

use std::path::Path;
use std::sync::Arc;

use rustls::pki_types::CertificateDer;
use rustls::pki_types::pem::PemObject;
use rustls::{ClientConfig, RootCertStore};
use tokio_postgres_rustls::MakeRustlsConnect;

use crate::ClusterError;

/// A connector that trusts the authorities of the system, or those of a file in their place.
pub(crate) fn connector(authorities: Option<&Path>) -> Result<MakeRustlsConnect, ClusterError> {
    let mut roots = RootCertStore::empty();
    match authorities {
        Some(path) => {
            let wrong = |what: String| ClusterError::Invalid(format!("sslrootcert={}: {what}", path.display()));
            let found = CertificateDer::pem_file_iter(path).map_err(|error| wrong(error.to_string()))?;
            for certificate in found {
                let certificate = certificate.map_err(|error| wrong(error.to_string()))?;
                roots.add(certificate).map_err(|error| wrong(error.to_string()))?;
            }
            if roots.is_empty() {
                return Err(wrong("there is no certificate in it".to_owned()));
            }
        }
        None => {
            // What cannot be read of them is not trusted; without any the connection says so.
            let (added, _) = roots.add_parsable_certificates(rustls_native_certs::load_native_certs().certs);
            tracing::debug!(added, "certificate authorities of the system");
        }
    }
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let config = ClientConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .map_err(|error| ClusterError::Failed(format!("TLS: {error}")))?
        .with_root_certificates(roots)
        .with_no_client_auth();
    Ok(MakeRustlsConnect::new(config))
}

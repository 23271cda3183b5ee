//! Standard error, which may be a terminal that is gone.

/// Writes a line to standard error, as the macro of the standard library does, which panics when that fails. A message
/// that nobody can read must not end the work that is being saved.
macro_rules! eprintln {
    ($($part:tt)*) => {{
        let _ = ::std::io::Write::write_fmt(
            &mut ::std::io::stderr().lock(),
            ::core::format_args!("{}\n", ::core::format_args!($($part)*)),
        );
    }};
}

//! Standard input, line by line; read by a thread of its own where no search must ever wait for it.

use std::io::{self, BufRead};
use std::thread;
use std::time::Instant;

/// No line of a game is nearly as long; what is longer is not kept in memory.
const LONGEST: usize = 2 << 20;

/// Tells every line with the moment it was read, then nothing for the end, until somebody says no.
pub(crate) fn start(
    mut tell: impl FnMut(Option<(Vec<u8>, Instant)>) -> bool + Send + 'static,
) -> io::Result<()> {
    thread::Builder::new().name("reader".to_owned()).spawn(move || {
        let mut input = io::stdin().lock();
        while let Ok(Some(line)) = next_line(&mut input) {
            if !tell(Some((line, Instant::now()))) {
                return;
            }
        }
        tell(None);
    })?;
    Ok(())
}

/// The next line without its end; `None` behind the last. One that is too long comes cut.
pub(crate) fn next_line(input: &mut impl BufRead) -> io::Result<Option<Vec<u8>>> {
    let mut line = Vec::new();
    let mut any = false;
    loop {
        let buffer = match input.fill_buf() {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            other => other?,
        };
        if buffer.is_empty() {
            return Ok(any.then_some(line));
        }
        any = true;
        let end = buffer.iter().position(|&byte| byte == b'\n');
        let part = &buffer[..end.unwrap_or(buffer.len())];
        line.extend_from_slice(&part[..part.len().min(LONGEST - line.len())]);
        let used = part.len() + usize::from(end.is_some());
        input.consume(used);
        if end.is_some() {
            return Ok(Some(line));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_split_and_cut() {
        let long = [vec![b'x'; 5 << 20], b"\nlast".to_vec()].concat();
        let mut input = io::BufReader::new(&long[..]);
        assert_eq!(next_line(&mut input).unwrap().unwrap().len(), LONGEST);
        assert_eq!(next_line(&mut input).unwrap().unwrap(), b"last");
        assert_eq!(next_line(&mut input).unwrap(), None);
    }
}

//! Memory of this machine and process, where the system reports it.

use std::fs;

/// Memory that is available without swapping, in bytes.
pub(crate) fn free_memory() -> Option<u64> {
    line("/proc/meminfo", "MemAvailable:")
}

/// Peak memory of this process, in bytes.
pub(crate) fn peak_memory() -> Option<u64> {
    line("/proc/self/status", "VmHWM:")
}

/// The value of a line such as `VmHWM:  1234 kB`.
fn line(file: &str, name: &str) -> Option<u64> {
    let text = fs::read_to_string(file).ok()?;
    let value = text.lines().find_map(|line| line.strip_prefix(name))?;
    let kib: u64 = value.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kib << 10)
}

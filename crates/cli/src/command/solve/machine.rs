//! What the machine has to give, where it tells.

use std::fs;

/// Memory that programs can still have, in bytes.
pub(crate) fn free_memory() -> Option<u64> {
    line("/proc/meminfo", "MemAvailable:")
}

/// The most memory this process has had at once, in bytes.
pub(crate) fn peak_memory() -> Option<u64> {
    line("/proc/self/status", "VmHWM:")
}

/// A line such as `VmHWM:  1234 kB`.
fn line(file: &str, name: &str) -> Option<u64> {
    let text = fs::read_to_string(file).ok()?;
    let value = text.lines().find_map(|line| line.strip_prefix(name))?;
    let kib: u64 = value.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kib << 10)
}

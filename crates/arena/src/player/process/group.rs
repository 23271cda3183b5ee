//! A child and its descendants as one process group, on Unix.

use std::process::{Child, Command};
use std::time::Duration;

/// Makes the child of `command` the leader of a new group.
pub(super) fn lead_group(command: &mut Command) {
    #[cfg(unix)]
    std::os::unix::process::CommandExt::process_group(command, 0);
    #[cfg(not(unix))]
    let _ = command;
}

/// Kills the whole group. The child must not have been waited for yet: until then its process id is not reused.
pub(super) fn kill(child: &mut Child) {
    #[cfg(unix)]
    {
        use rustix::process::{Pid, Signal, kill_process_group};
        // Fails only when no process is left.
        let _ = kill_process_group(Pid::from_child(child), Signal::KILL);
    }
    let _ = child.kill();
}

/// Whether the child has ended, without waiting and without reaping it: its process id, which is that of its group, must
/// not be reused.
pub(super) fn has_ended(child: &mut Child) -> bool {
    #[cfg(unix)]
    {
        use rustix::process::{Pid, WaitId, WaitIdOptions, waitid};
        let how = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
        !matches!(waitid(WaitId::Pid(Pid::from_child(child)), how), Ok(None))
    }
    #[cfg(not(unix))]
    !matches!(child.try_wait(), Ok(None))
}

/// The CPU time used by all threads of the child, on Linux.
pub(super) fn cpu(child: &Child) -> Option<Duration> {
    #[cfg(target_os = "linux")]
    {
        let stat = std::fs::read_to_string(format!("/proc/{}/stat", child.id())).ok()?;
        // The name in parentheses may contain anything; user and system time are fields 14 and 15.
        let mut fields = stat.rsplit_once(')')?.1.split_whitespace().skip(11);
        let mut ticks = || fields.next()?.parse::<u64>().ok();
        let used = ticks()? + ticks()?;
        Some(Duration::from_secs_f64(used as f64 / rustix::param::clock_ticks_per_second() as f64))
    }
    #[cfg(not(target_os = "linux"))]
    {
        let _ = child;
        None
    }
}

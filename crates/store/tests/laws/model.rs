//! A simulated file system that loses unsynced data, fails on demand, and shows every state that a power cut may leave.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard};

use tesuji_store::disk::{Disk, DiskFile};

const SECTOR: usize = 512;

/// What happens at a certain step.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum DiskFault {
    /// The power goes: this step may or may not have an effect, and no later one has.
    Cut,
    /// This step fails, without effect.
    Refuse,
    /// From here on the disk is full: appends write half and fail.
    Full,
}

#[derive(Clone, Default)]
struct FileContent {
    live: Vec<u8>,
    synced: Vec<u8>,
}

#[derive(Clone)]
enum Naming {
    Create(PathBuf, usize),
    Rename(PathBuf, PathBuf),
    Remove(PathBuf),
}

#[derive(Clone, Default)]
struct DiskState {
    files: Vec<FileContent>,
    held: Vec<bool>,
    names: BTreeMap<PathBuf, usize>,
    synced_names: BTreeMap<PathBuf, usize>,
    pending: Vec<Naming>,
    steps: usize,
    fault: Option<(usize, DiskFault)>,
    cut: bool,
}

/// The disk; clones share it.
#[derive(Clone, Default)]
pub(crate) struct SimulatedDisk(Arc<Mutex<DiskState>>);

fn apply(names: &mut BTreeMap<PathBuf, usize>, naming: &Naming) {
    match naming {
        Naming::Create(path, file) => {
            names.insert(path.clone(), *file);
        }
        Naming::Rename(from, to) => {
            if let Some(file) = names.remove(from) {
                names.insert(to.clone(), file);
            }
        }
        Naming::Remove(path) => {
            names.remove(path);
        }
    }
}

impl DiskState {
    /// Whether the step may be done; `Ok(true)` when it is the last before the power is gone.
    fn step(&mut self) -> io::Result<bool> {
        let step = self.steps;
        self.steps += 1;
        match self.fault {
            _ if self.cut => Err(io::Error::other("the power is gone")),
            Some((at, DiskFault::Cut)) if at == step => {
                self.cut = true;
                Ok(true)
            }
            Some((at, DiskFault::Refuse)) if at == step => Err(io::Error::other("refused")),
            _ => Ok(false),
        }
    }

    fn full(&self) -> bool {
        matches!(self.fault, Some((at, DiskFault::Full)) if self.steps > at)
    }

    fn name(&mut self, naming: Naming) -> io::Result<()> {
        let last = self.step()?;
        apply(&mut self.names, &naming);
        self.pending.push(naming);
        if last { Err(io::Error::other("the power is gone")) } else { Ok(()) }
    }
}

impl SimulatedDisk {
    pub(crate) fn with(files: &[(&str, &[u8])]) -> SimulatedDisk {
        let model = SimulatedDisk::default();
        for (path, bytes) in files {
            let mut state = model.state();
            let number = state.files.len();
            state.files.push(FileContent { live: bytes.to_vec(), synced: bytes.to_vec() });
            state.held.push(false);
            state.names.insert(path.into(), number);
            state.synced_names.insert(path.into(), number);
        }
        model
    }

    fn state(&self) -> MutexGuard<'_, DiskState> {
        self.0.lock().unwrap()
    }

    /// Something goes wrong at this step from now.
    pub(crate) fn break_at(&self, step: usize, fault: DiskFault) {
        let mut state = self.state();
        state.steps = 0;
        state.fault = Some((step, fault));
    }

    /// Nothing goes wrong any more.
    pub(crate) fn mend(&self) {
        self.state().fault = None;
    }

    /// Whether the fault that was asked for has had its turn.
    pub(crate) fn reached(&self) -> bool {
        let state = self.state();
        state.fault.is_some_and(|(at, _)| state.steps > at)
    }

    /// The same disk once more, on its own.
    pub(crate) fn again(&self) -> SimulatedDisk {
        SimulatedDisk(Arc::new(Mutex::new(self.state().clone())))
    }

    /// The disk when only the process is gone: everything done is there, whether synced or not.
    pub(crate) fn after_kill(&self) -> SimulatedDisk {
        let state = self.state().clone();
        SimulatedDisk(Arc::new(Mutex::new(DiskState { cut: false, fault: None, ..state })))
    }

    pub(crate) fn content(&self, path: &str) -> Option<Vec<u8>> {
        let state = self.state();
        state.names.get(Path::new(path)).map(|&file| state.files[file].live.clone())
    }

    pub(crate) fn paths(&self) -> Vec<String> {
        self.state().names.keys().map(|path| path.display().to_string()).collect()
    }

    /// The disk as every power cut at this moment may leave it: any of the pending names done or not; of content
    /// not synced all, nothing, a part, or the length without some of the sectors.
    pub(crate) fn after_power_cut(&self) -> Vec<SimulatedDisk> {
        let state = self.state();
        let mut worlds = Vec::new();
        for done in 0..1usize << state.pending.len() {
            let mut names = state.synced_names.clone();
            for (at, naming) in state.pending.iter().enumerate() {
                if done >> at & 1 == 1 {
                    apply(&mut names, naming);
                }
            }
            for files in self.contents(&state) {
                worlds.push(SimulatedDisk(Arc::new(Mutex::new(DiskState {
                    held: vec![false; files.len()],
                    files: files.into_iter().map(|bytes| FileContent { live: bytes.clone(), synced: bytes }).collect(),
                    names: names.clone(),
                    synced_names: names.clone(),
                    ..DiskState::default()
                }))));
            }
        }
        worlds
    }

    fn contents(&self, state: &DiskState) -> Vec<Vec<Vec<u8>>> {
        let all = |remains: &dyn Fn(&FileContent) -> Vec<u8>| state.files.iter().map(remains).collect::<Vec<_>>();
        let mut worlds = vec![all(&|file| file.synced.clone()), all(&|file| file.live.clone())];
        let new = |file: &FileContent| file.live.len().saturating_sub(file.synced.len());
        let longest = state.files.iter().map(new).max().unwrap_or(0);
        for part in (1..longest).step_by(1 + longest / 40) {
            worlds.push(all(&|file| file.live[..file.live.len().min(file.synced.len() + part)].to_vec()));
        }
        for lost in 1..16usize {
            worlds.push(all(&|file| {
                let mut bytes = file.live.clone();
                for at in file.synced.len().min(bytes.len())..bytes.len() {
                    let sector = at / SECTOR - file.synced.len() / SECTOR;
                    if lost >> sector.min(3) & 1 == 1 {
                        bytes[at] = 0;
                    }
                }
                bytes
            }));
        }
        worlds
    }
}

impl Disk for SimulatedDisk {
    fn create(&self, path: &Path) -> io::Result<Box<dyn DiskFile>> {
        let mut state = self.state();
        if state.names.contains_key(path) {
            return Err(ErrorKind::AlreadyExists.into());
        }
        let number = state.files.len();
        state.files.push(FileContent::default());
        state.held.push(false);
        state.name(Naming::Create(path.to_owned(), number))?;
        drop(state);
        Ok(Box::new(Handle { disk: self.clone(), file: number, holds: false }))
    }

    fn open(&self, path: &Path) -> io::Result<Box<dyn DiskFile>> {
        let file = *self.state().names.get(path).ok_or(ErrorKind::NotFound)?;
        Ok(Box::new(Handle { disk: self.clone(), file, holds: false }))
    }

    fn read(&self, path: &Path) -> io::Result<Vec<u8>> {
        self.open(path)?.read()
    }

    fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        let mut state = self.state();
        if !state.names.contains_key(from) {
            return Err(ErrorKind::NotFound.into());
        }
        state.name(Naming::Rename(from.to_owned(), to.to_owned()))
    }

    fn remove(&self, path: &Path) -> io::Result<()> {
        self.state().name(Naming::Remove(path.to_owned()))
    }

    fn names(&self, _dir: &Path) -> io::Result<Vec<OsString>> {
        Ok(self.state().names.keys().filter_map(|path| Some(path.file_name()?.to_owned())).collect())
    }

    fn sync_names(&self, _dir: &Path) -> io::Result<()> {
        let mut state = self.state();
        // A sync during which the power goes has synced nothing for sure.
        if state.step()? {
            return Err(io::Error::other("the power is gone"));
        }
        state.synced_names = state.names.clone();
        state.pending.clear();
        Ok(())
    }
}

struct Handle {
    disk: SimulatedDisk,
    file: usize,
    holds: bool,
}

impl DiskFile for Handle {
    fn read(&mut self) -> io::Result<Vec<u8>> {
        Ok(self.disk.state().files[self.file].live.clone())
    }

    fn append(&mut self, bytes: &[u8]) -> io::Result<()> {
        let mut state = self.disk.state();
        let last = state.step()?;
        let full = state.full();
        let written = if full { bytes.len() / 2 } else { bytes.len() };
        state.files[self.file].live.extend(&bytes[..written]);
        match (last, full) {
            (true, _) => Err(io::Error::other("the power is gone")),
            (_, true) => Err(ErrorKind::StorageFull.into()),
            _ => Ok(()),
        }
    }

    fn overwrite(&mut self, at: u64, bytes: &[u8]) -> io::Result<()> {
        let mut state = self.disk.state();
        let last = state.step()?;
        let written = if last { bytes.len() / 2 } else { bytes.len() };
        state.files[self.file].live[at as usize..][..written].copy_from_slice(&bytes[..written]);
        if last { Err(io::Error::other("the power is gone")) } else { Ok(()) }
    }

    fn truncate(&mut self, length: u64) -> io::Result<()> {
        let mut state = self.disk.state();
        let last = state.step()?;
        state.files[self.file].live.truncate(length as usize);
        if last { Err(io::Error::other("the power is gone")) } else { Ok(()) }
    }

    fn sync(&mut self) -> io::Result<()> {
        let mut state = self.disk.state();
        if state.step()? {
            return Err(io::Error::other("the power is gone"));
        }
        let file = &mut state.files[self.file];
        file.synced = file.live.clone();
        Ok(())
    }

    fn lock_exclusive(&mut self) -> io::Result<bool> {
        let mut state = self.disk.state();
        let free = self.holds || !state.held[self.file];
        state.held[self.file] |= free;
        self.holds |= free;
        Ok(free)
    }
}

impl Drop for Handle {
    fn drop(&mut self) {
        if self.holds {
            self.disk.state().held[self.file] = false;
        }
    }
}

//! `tesuji games`: the games and what each supports.

use tesuji_registry::Registry;

use crate::failure::Done;
use crate::out::Out;

pub(crate) fn run(registry: &Registry, json: bool, out: &mut Out) -> Done {
    for info in registry.games().iter().map(|game| game.info()) {
        if json {
            out.json("games", &info)?;
            continue;
        }
        out.line(format_args!("{:<11}{}", info.game, info.about))?;
        out.line(format_args!("{:11}players   {}", "", info.players.join(", ")))?;
        out.line(format_args!("{:11}supports  {}", "", info.supports.join(", ")))?;
        let lists = [("records", &info.formats, &info.format_notes), ("engines", &info.engines, &info.engine_notes)];
        for (head, names, notes) in lists {
            for (index, (name, note)) in names.iter().zip(notes).enumerate() {
                let head = if index == 0 { head } else { "" };
                out.line(format_args!("{:11}{head:<10}{name:<11}{note}", ""))?;
            }
        }
        out.line(format_args!("{:21}default    {}", "", info.default_engine))?;
        for (index, level) in info.levels.iter().enumerate() {
            let head = if index == 0 { "levels" } else { "" };
            out.line(format_args!("{:11}{head:<10}{:<11}{}: {}", "", level.level, level.name, level.about))?;
        }
        out.line(format_args!("{:11}values    {}", "", info.evaluations.join(", ")))?;
        if !info.protocols.is_empty() {
            let words = info.protocols.join(", ");
            out.line(format_args!("{:11}programs  by {words}, in matches and tournaments", ""))?;
        }
        out.line("")?;
    }
    Ok(())
}

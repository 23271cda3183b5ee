//! `tesuji games`: what is here and what each game supports.

use serde_json::json;

use crate::Entry;
use crate::entry::{Playable, Registration};
use crate::failure::Done;
use crate::out::Out;

/// What there is to know of a game.
pub(crate) struct Card {
    name: &'static str,
    about: &'static str,
    players: [&'static str; 2],
    formats: Vec<(&'static str, &'static str)>,
    supports: Vec<String>,
    engines: Vec<(&'static str, &'static str)>,
    evaluations: &'static [&'static str],
    default: &'static str,
    /// Protocols that other programs may play by, in matches.
    protocols: Vec<&'static str>,
}

pub(crate) fn card<G: Playable>(shelf: &Registration<G>) -> Card {
    let mut supports = vec!["perft".to_owned(), "records".to_owned(), "board".to_owned()];
    if shelf.symmetries > 1 {
        supports.push(format!("{} symmetries", shelf.symmetries));
    }
    if shelf.margin.is_some() {
        supports.push("margin".to_owned());
    }
    if shelf.claim.is_some() {
        supports.push("claims".to_owned());
    }
    if G::RECURS {
        supports.push("recurring positions".to_owned());
    }
    if shelf.whole.is_some() {
        supports.push("solving the whole game".to_owned());
    }
    Card {
        name: G::NAME,
        about: shelf.about,
        players: G::players(),
        formats: G::FORMATS.iter().map(|format| (format.name, format.about)).collect(),
        supports,
        engines: shelf.engines.kinds.iter().map(|kind| (kind.name, kind.about)).collect(),
        evaluations: shelf.engines.evaluations,
        default: shelf.engines.default,
        protocols: shelf.custom.protocols.iter().map(|protocol| protocol.name()).collect(),
    }
}

pub(crate) fn run(games: &[Entry], json: bool, out: &mut Out) -> Done {
    for card in games.iter().map(|entry| entry.tool().card()) {
        if json {
            let formats: Vec<&str> = card.formats.iter().map(|format| format.0).collect();
            let engines: Vec<&str> = card.engines.iter().map(|engine| engine.0).collect();
            out.json(
                "games",
                json!({
                    "game": card.name,
                    "about": card.about,
                    "players": card.players,
                    "formats": formats,
                    "supports": card.supports,
                    "engines": engines,
                    "evaluations": card.evaluations,
                    "default_engine": card.default,
                    "protocols": card.protocols,
                }),
            )?;
        } else {
            out.line(format_args!("{:<11}{}", card.name, card.about))?;
            out.line(format_args!("{:11}players   {}, {}", "", card.players[0], card.players[1]))?;
            out.line(format_args!("{:11}supports  {}", "", card.supports.join(", ")))?;
            for (index, (name, about)) in card.formats.iter().enumerate() {
                let head = if index == 0 { "records" } else { "" };
                out.line(format_args!("{:11}{head:<10}{name:<11}{about}", ""))?;
            }
            for (index, (name, about)) in card.engines.iter().enumerate() {
                let head = if index == 0 { "engines" } else { "" };
                out.line(format_args!("{:11}{head:<10}{name:<11}{about}", ""))?;
            }
            out.line(format_args!("{:11}{:<10}{}", "", "", format_args!("default    {}", card.default)))?;
            out.line(format_args!("{:11}values    {}", "", card.evaluations.join(", ")))?;
            if !card.protocols.is_empty() {
                let words = card.protocols.join(", ");
                out.line(format_args!("{:11}programs  by {words}, in matches and tournaments", ""))?;
            }
            out.line("")?;
        }
    }
    Ok(())
}

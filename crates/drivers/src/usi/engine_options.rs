//! Settings of the engine as USI options: names in the manner of dlshogi, decimals as whole numbers of a small unit.

use tesuji_engines::{EngineKind, Spec};
use tesuji_protocol::usi::OptionKind;

/// A setting of the engine spec that a board program may change.
#[derive(Debug)]
pub(super) struct EngineOptionSetting {
    /// The name of the option.
    pub(super) name: &'static str,
    /// The key of the setting.
    key: &'static str,
    /// Units of the option that make one of the setting; 0 for a text.
    units: i64,
    /// What the spec says.
    given: Option<String>,
    /// The value of the option as long as nobody changes it.
    default: String,
}

/// Name, key, units, default, least and greatest value.
type Entry = (&'static str, &'static str, i64, i64, i64, i64);

const ENTRIES: &[Entry] = &[
    ("Net", "net", 0, 0, 0, 0),
    ("Playouts", "playouts", 1, 0, 0, i64::MAX),
    ("C_init", "c", 100, 144, 0, 10_000),
    ("C_fpu_reduction", "fpu", 100, 27, 0, 100),
    ("Softmax_Temperature", "temperature", 100, 174, 0, 10_000),
    ("Batch_Size", "batch", 1, 16, 1, 1024),
    ("Sampled_Plies", "sample", 1, 0, 0, 10_000),
    ("Resign_Threshold", "resign", 1000, 0, 0, 1000),
    ("Root_Noise", "noise", 100, 0, 0, 100),
    ("Mate_Nodes", "mate", 1, 1_000_000, 0, 100_000_000),
    ("Leaf_Mate_Nodes", "leaf-mate", 1, 0, 0, 1_000_000),
    ("Precision", "precision", 0, 0, 0, 0),
];

/// The options of the engine of a spec. Their settings are taken out of the spec.
pub(super) fn take(spec: &mut Spec, kinds: &[&'static EngineKind]) -> Vec<(EngineOptionSetting, OptionKind)> {
    let Some(kind) = kinds.iter().find(|kind| kind.name == spec.name) else { return Vec::new() };
    let known = |entry: &&Entry| kind.settings.iter().any(|setting| setting.key == entry.1);
    let option = |&(name, key, units, default, min, max): &Entry| {
        let given = spec.get(key).map(str::to_owned);
        spec.settings.retain(|(other, _)| other != key);
        let kind = if units == 0 {
            OptionKind::Text { default: given.clone().unwrap_or_default() }
        } else {
            // The player without search takes the most probable move.
            let default = if (kind.name, key) == ("policy", "temperature") { 0 } else { default };
            let number = given.as_ref().and_then(|text| text.parse::<f64>().ok());
            let number = number.map_or(default, |number| (number * units as f64).round() as i64);
            OptionKind::Spin { default: number.clamp(min, max), min, max }
        };
        (EngineOptionSetting { name, key, units, given, default: kind.default() }, kind)
    };
    ENTRIES.iter().filter(known).map(option).collect()
}

impl EngineOptionSetting {
    /// The setting for a value of the option; none where the engine has its own default.
    pub(super) fn setting(&self, value: &str) -> Option<(&'static str, String)> {
        if value == self.default {
            return self.given.clone().map(|given| (self.key, given));
        }
        let text = match (self.units, value.parse::<i64>()) {
            (0, _) => Some(value.to_owned()).filter(|text| !text.is_empty())?,
            // No limit.
            (1, Ok(0)) if self.key == "playouts" => return None,
            (1, Ok(number)) => number.to_string(),
            (units, Ok(number)) => (number as f64 / units as f64).to_string(),
            (_, Err(_)) => return None,
        };
        Some((self.key, text))
    }
}

#[cfg(test)]
mod tests {
    use tesuji_engines::{EngineFactory, KINDS};
    use tesuji_shogi::Shogi;

    use super::*;

    #[test]
    fn settings_of_the_spec_become_options() {
        let kinds = EngineFactory::<Shogi>::of_game().kinds;
        let mut spec = Spec::parse("puct:net=a.safetensors,c=1.445,hash=8,playouts=300").unwrap();
        let options = take(&mut spec, &kinds);
        assert_eq!(spec.to_string(), "puct:hash=8");
        let option = |name: &str| options.iter().find(|(option, _)| option.name == name).unwrap();
        let default = |name: &str| option(name).1.default();
        assert_eq!((default("Net").as_str(), default("Playouts").as_str()), ("a.safetensors", "300"));
        assert_eq!((default("C_init").as_str(), default("Softmax_Temperature").as_str()), ("145", "174"));
        let setting =
            |name: &str, value: &str| option(name).0.setting(value).map(|(key, value)| format!("{key}={value}"));
        // Unchanged: exactly what the spec said, or nothing.
        assert_eq!(setting("C_init", "145").as_deref(), Some("c=1.445"));
        assert_eq!(setting("Softmax_Temperature", "174"), None);
        assert_eq!(setting("C_init", "120").as_deref(), Some("c=1.2"));
        assert_eq!(setting("Resign_Threshold", "10").as_deref(), Some("resign=0.01"));
        assert_eq!(setting("Batch_Size", "32").as_deref(), Some("batch=32"));
        assert_eq!(setting("Net", "b.onnx").as_deref(), Some("net=b.onnx"));
        assert_eq!((setting("Net", ""), setting("Playouts", "0")), (None, None));
    }

    #[test]
    fn every_decimal_setting_has_an_option() {
        let mut greedy = Spec::parse("policy").unwrap();
        let options = take(&mut greedy, &KINDS.iter().collect::<Vec<_>>());
        let names: Vec<_> = options.iter().map(|(option, kind)| (option.name, kind.default())).collect();
        let text = String::new;
        assert_eq!(names, [("Net", text()), ("Softmax_Temperature", "0".to_owned()), ("Precision", text())]);
        for kind in EngineFactory::<Shogi>::of_game().kinds.iter().filter(|kind| kind.name == "puct") {
            let elsewhere = ["time", "eval", "seed", "hash", "threads"];
            for setting in kind.settings.iter().filter(|setting| !elsewhere.contains(&setting.key)) {
                assert!(ENTRIES.iter().any(|entry| entry.1 == setting.key), "{}", setting.key);
            }
        }
    }
}

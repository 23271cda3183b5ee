import { runAll } from "./harness.mjs";
import "./suite/chooser.mjs";
import "./suite/play.mjs";
import "./suite/trax.mjs";
import "./suite/analysis.mjs";
import "./suite/tree.mjs";
import "./suite/records.mjs";
import "./suite/editor.mjs";
import "./suite/keyboard.mjs";
import "./suite/access.mjs";
import "./suite/extras.mjs";
import "./suite/speed.mjs";

process.exitCode = (await runAll(process.argv.slice(2))) > 0 ? 1 : 0;

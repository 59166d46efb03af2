// Must come first: it fixes the language before uPlot reads it.
import "./language.ts";
import "./style/theme.css";
import "./style/layout.css";
import "./style/controls.css";
import "./style/parts.css";
import "./style/tables.css";
import "./style/figures.css";
import "./style/choose.css";
import "./style/rows.css";
import { render } from "preact";
import { App } from "./app.tsx";

const root = document.getElementById("app");
if (root !== null) render(<App />, root);

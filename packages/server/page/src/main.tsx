import { render } from "preact";
import { App } from "./app.js";
import "./styles/theme.css";
import "./styles/base.css";
import "./styles/layout.css";
import "./styles/overview.css";
import "./styles/form.css";
import "./styles/outcome.css";
import "./styles/schema.css";
import "./styles/flip.css";
import "./styles/compare.css";
import "./styles/history.css";
import "./styles/verdict.css";

const root = document.getElementById("app");
if (root !== null) render(<App />, root);

import { render } from "preact";
import { RecordsApp } from "./records-app.js";
import "../styles/theme.css";
import "../styles/base.css";
import "../styles/layout.css";
import "../styles/form.css";
import "../styles/outcome.css";
import "./styles/search.css";
import "./styles/record.css";

const root = document.getElementById("app");
if (root !== null) render(<RecordsApp />, root);

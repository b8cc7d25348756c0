import { render } from "preact";
import { RecordsApp } from "./records-app.js";
import "./styles/records.css";

const root = document.getElementById("app");
if (root !== null) render(<RecordsApp />, root);

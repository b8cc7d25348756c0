import { render } from "preact";
import { SwaggerApp } from "./swagger-app.js";
import "../styles/theme.css";
import "./styles/page.css";
import "./styles/swagger-ui.css";

const root = document.getElementById("app");
if (root !== null) render(<SwaggerApp />, root);

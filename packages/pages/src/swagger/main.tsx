import { render } from "preact";
import { SwaggerApp } from "./swagger-app.js";
import "./styles/swagger.css";

const root = document.getElementById("app");
if (root !== null) render(<SwaggerApp />, root);

export { Engine } from "./engine.js";

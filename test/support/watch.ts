export * from "../../packages/watch/src/index.js";

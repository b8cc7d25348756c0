export { type NatsSource, natsSource } from "./nats-source.js";
export type { NatsSourceOptions } from "./options.js";
export { type NatsSetup, setUpNats } from "./set-up-nats.js";

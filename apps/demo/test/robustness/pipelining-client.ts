import { connect, type Socket } from "node:net";
import { setImmediate as turn, setTimeout as wait } from "node:timers/promises";
import { type ReadReplies, type ReadReply, readReplies } from "../../../../test/support/read-replies.js";
import { type ConnectionPlan, idPrefix, type PlannedRequest } from "./pipelining-plan.js";

/** The result of a plan. */
export interface Outcome {
  readonly received: string;
  /** Whether the connection broke, which can lose replies in transit: see {@link problemOf}. */
  readonly broken: boolean;
  readonly connected: boolean;
}

/** Carries out a plan, and reads until the connection has ended. */
export function carryOut(plan: ConnectionPlan, port: number, onPart = (): void => {}): Promise<Outcome> {
  return new Promise((resolve) => {
    const socket = connect({ port, host: "127.0.0.1", allowHalfOpen: true });
    const chunks: string[] = [];
    let broken = false;
    let connected = false;
    socket.setNoDelay(true).setEncoding("latin1");
    socket.on("data", (text: string) => {
      chunks.push(text);
      // A client leaves once it has all its replies.
      if (plan.leave === undefined && hasAll(chunks.join(""), plan)) socket.end();
    });
    socket.on("end", () => socket.end());
    socket.on("error", () => {
      broken = true;
    });
    socket.on("close", () => resolve({ received: chunks.join(""), broken, connected }));
    socket.on("connect", () => {
      connected = true;
      void speak(socket, plan, onPart);
    });
  });
}

function hasAll(received: string, plan: ConnectionPlan): boolean {
  try {
    return readReplies(received, methodsOf(plan)).replies.length === plan.requests.length;
  } catch {
    return true;
  }
}

/** The methods of the requests that the service received, without one that the client left in the middle of. */
function methodsOf(plan: ConnectionPlan): readonly string[] {
  const complete = completeRequests(plan);
  return plan.requests.map(({ method }, index) => (index < complete ? method : ""));
}

async function speak(socket: Socket, plan: ConnectionPlan, onPart: () => void): Promise<void> {
  const bytes = Buffer.concat(plan.requests.map((request) => request.bytes));
  const end = sentBytes(plan);
  let from = 0;
  for (const [at, pause] of plan.cuts) {
    const to = Math.min(end, Math.floor(bytes.length * at));
    if (!socket.writable) return;
    socket.write(bytes.subarray(from, to));
    from = to;
    onPart();
    if (pause === "turn") await turn();
    if (pause === "moment") await wait(1);
  }
  if (!socket.writable) return;
  socket.write(bytes.subarray(from, end));
  onPart();
  if (plan.leave?.how === "end") socket.end();
  if (plan.leave?.how === "destroy") socket.destroy();
  if (plan.leave?.how === "reset") socket.resetAndDestroy();
}

/** Replies that one connection may get besides those in its plan. */
export interface Allowance {
  /** Replies that any request may get, such as 503 under overload. */
  readonly statuses: readonly number[];
  /** The ids of the requests that the service started to read. Only known if the service is closed meanwhile. */
  readonly begun?: ReadonlySet<string>;
}

/**
 * Finds what is wrong with the replies on a connection: each request gets exactly one, in order, and nothing follows one
 * that says `Connection: close`. These may be missing, as HTTP allows:
 *
 * - all after a reply with `Connection: close`, and all after the client has left;
 * - if a connection was reset, also those before a request that ends it: a server that ends a connection while requests
 *   are in transit resets it, and what it sent just before can be lost (RFC 9112, 9.6);
 * - if the service was closed, those to requests that it had not started to read.
 */
export function problemOf(plan: ConnectionPlan, outcome: Outcome, allowed: Allowance): string | undefined {
  let read: ReadReplies;
  try {
    read = readReplies(outcome.received, methodsOf(plan));
  } catch (error) {
    return String(error);
  }
  const { replies, rest } = read;
  for (const [index, reply] of replies.entries()) {
    const request = plan.requests[index];
    if (request === undefined) {
      return isRefusalOfTheRest(plan, reply) ? undefined : `an unexpected reply: ${show(reply)}`;
    }
    const problem = isRefusedPart(plan, index, reply) ? undefined : problemOfReply(request, reply, allowed);
    if (problem !== undefined) return `${index}, ${request.kind}: ${problem}`;
    if (closes(reply) && (index < replies.length - 1 || rest !== ""))
      return `${index}: replies after a close`;
  }
  const last = replies.at(-1);
  if (last !== undefined && closes(last)) return undefined;
  if (plan.leave !== undefined) return undefined;
  const missing = plan.requests.slice(replies.length);
  if (outcome.broken && (allowed.begun !== undefined || missing.some(mayClose))) return undefined;
  const owed = missing.filter(({ id }) => allowed.begun === undefined || allowed.begun.has(id));
  if (rest !== "") return `a truncated reply: ${rest.slice(0, 100)}`;
  return owed.length > 0 ? `${owed.length} replies missing, the first to ${owed[0]?.kind}` : undefined;
}

/**
 * Whether a reply is one that Node itself sends, in an adapter's host, when a client leaves in the middle of a request that
 * already has a reply: a host may reply before it has read the whole body.
 */
function isRefusalOfTheRest({ host, leave }: ConnectionPlan, reply: ReadReply): boolean {
  return !host.startsWith("server") && leave?.how === "end" && reply.status === 400 && closes(reply);
}

/**
 * Whether a reply refuses a request that its client left in the middle of. The server refuses it after all others. The reply
 * of Node itself, in an adapter's host, may come out of order.
 */
function isRefusedPart(plan: ConnectionPlan, index: number, reply: ReadReply): boolean {
  const { leave, host } = plan;
  if (leave === undefined || reply.status !== 400) return false;
  if (reply.headers.get("x-request-id")?.startsWith(idPrefix) === true) return false;
  return !host.startsWith("server") || (closes(reply) && index === completeRequests(plan));
}

/** The number of requests in a plan that are sent in full. */
function completeRequests(plan: ConnectionPlan): number {
  let left = sentBytes(plan);
  return plan.requests.filter(({ bytes }) => {
    left -= bytes.length;
    return left >= 0;
  }).length;
}

/** How much of a plan is sent. */
function sentBytes({ requests, leave }: ConnectionPlan): number {
  const length = requests.reduce((sum, { bytes }) => sum + bytes.length, 0);
  return leave === undefined ? length : Math.floor(length * leave.at);
}

function problemOfReply(request: PlannedRequest, reply: ReadReply, allowed: Allowance): string | undefined {
  const id = reply.headers.get("x-request-id");
  if (request.identified ? id !== request.id : id?.startsWith(idPrefix) === true && id !== request.id) {
    return `the reply to ${id} in place of the one to ${request.id}`;
  }
  if (![...request.statuses, ...allowed.statuses].includes(reply.status)) return `unexpected ${show(reply)}`;
  return request.closes && !closes(reply) ? `no close with ${show(reply)}` : undefined;
}

/** Whether the reply to a request may end its connection. A refusal may, because reading the body is not worthwhile. */
function mayClose({ closes, statuses }: PlannedRequest): boolean {
  return closes || statuses.some((status) => status >= 400);
}

function closes(reply: ReadReply): boolean {
  return reply.headers.get("connection")?.toLowerCase() === "close";
}

function show({ status, body }: ReadReply): string {
  return `${status} ${body.slice(0, 200)}`;
}

import "./playground.css";
import { PageHead, SkipTo, show } from "@decern/pages/components";
import { useState } from "preact/hooks";
import start from "../../playground/start.ts?raw";
import { fromFragment, type PlaygroundState } from "../base/state.js";
import { Sandbox } from "../sandbox/sandbox.js";
import type { Example } from "./example-menu.js";
import { filesIn } from "./load-files.js";
import { SourcePane } from "./source-pane.js";
import { TryDecision } from "./try-decision.js";
import { type Opened, usePlayground } from "./use-playground.js";

interface PlaygroundProps {
  readonly sandbox: Sandbox;
  readonly first: PlaygroundState;
  /** Whether the address has a state that cannot be read. */
  readonly isUnreadable: boolean;
}

function Playground({ sandbox, first, isUnreadable }: PlaygroundProps) {
  const [started, setStarted] = useState({ state: first, count: 0 });
  const playground = usePlayground(sandbox, first);
  const { source, opened, mistake, isRunning, lines, fragment, setSource, setCall } = playground;
  const onExample = ({ state, fragment: next }: Example) => {
    history.replaceState(null, "", next);
    setStarted({ state, count: started.count + 1 });
    setCall(undefined);
    setSource(state);
  };
  const isOld = opened?.source !== source;
  return (
    <div class="app">
      <SkipTo what="result" />
      <PageHead name="Playground" href="../">
        <nav class="service-links" aria-label="Site">
          <a href="../docs/">Documentation</a>
        </nav>
      </PageHead>
      <main class="playground">
        <SourcePane
          source={source}
          editorKey={started.count}
          mistake={mistake}
          isRunning={isRunning}
          lines={lines}
          fragment={fragment}
          opened={isOld ? undefined : opened?.decisions[0]}
          isSettled={opened !== undefined || mistake !== undefined}
          onChange={setSource}
          onExample={onExample}
        />
        <section class="results" id="main" aria-label="Result" tabIndex={-1}>
          {isUnreadable && started.count === 0 ? (
            <p class="stale">
              This link cannot be read: it may have been cut off. Here is the first example instead.
            </p>
          ) : null}
          {opened === undefined ? (
            <p class="card" role="status">
              {mistake === undefined ? "Loading…" : "Fix the code to evaluate it."}
            </p>
          ) : (
            <Results
              key={started.count}
              {...{ sandbox, opened, isOld }}
              isBroken={mistake !== undefined}
              first={started.state.call}
              onCall={setCall}
            />
          )}
        </section>
      </main>
    </div>
  );
}

interface ResultsProps {
  readonly sandbox: Sandbox;
  readonly opened: Opened;
  readonly isOld: boolean;
  readonly isBroken: boolean;
  readonly first: PlaygroundState["call"];
  readonly onCall: (call: PlaygroundState["call"]) => void;
}

/** One of the decisions that the code defines. */
function Results({ opened: { source, decisions }, ...props }: ResultsProps) {
  const [chosen, setChosen] = useState(0);
  const index = Math.min(chosen, decisions.length - 1);
  const decision = decisions[index];
  if (decision === undefined) return null;
  const { id, version, description } = decision;
  return (
    <>
      <header class="results-head">
        <h1>{id}</h1>
        <span class="version">{version}</span>
        {decisions.length < 2 ? null : (
          <label class="menu">
            <span class="hidden">Decision</span>
            <select
              value={String(index)}
              onChange={({ currentTarget }) => setChosen(Number(currentTarget.value))}
            >
              {decisions.map((one, at) => (
                <option key={`${one.id} ${one.version}`} value={String(at)}>
                  {one.id} {one.version}
                </option>
              ))}
            </select>
          </label>
        )}
        {description === undefined ? null : <p class="lead">{description}</p>}
      </header>
      <TryDecision key={id} {...props} {...{ source, index, decision }} />
    </>
  );
}

const frame = document.querySelector<HTMLIFrameElement>("#engine");
if (frame !== null) {
  const sandbox = new Sandbox(frame, "frame.html", filesIn("engine/"));
  const linked = await fromFragment(location.hash);
  const first = typeof linked === "string" ? { module: start } : linked;
  // A link to another state, followed on this page, opens that.
  addEventListener("hashchange", () => location.reload());
  show(<Playground sandbox={sandbox} first={first} isUnreadable={linked === "unreadable"} />);
}

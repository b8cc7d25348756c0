import { Component, type ComponentChildren } from "preact";
import { useRef } from "preact/hooks";
import { reachable } from "./code.js";

interface Tab {
  readonly id: string;
  readonly label: string;
  readonly panel: ComponentChildren;
  /** Whether it is printed also while a different tab is shown. */
  readonly isPrinted?: boolean;
}

interface PanelProps {
  readonly isDrawn: boolean;
  readonly children: ComponentChildren;
}

/** Draws nothing before it is shown, and nothing new while it is hidden: each key would draw what is out of sight. */
class Panel extends Component<PanelProps> {
  wasDrawn = false;

  override shouldComponentUpdate({ isDrawn }: PanelProps): boolean {
    return isDrawn;
  }

  render({ isDrawn, children }: PanelProps) {
    this.wasDrawn ||= isDrawn;
    return this.wasDrawn ? children : null;
  }
}

interface TabsProps {
  readonly label: string;
  readonly tabs: readonly Tab[];
  /** The id of the one that is shown. */
  readonly chosen: string;
  readonly onChoose: (id: string) => void;
}

/** Panels of which one is shown. The others stay as they are, and the arrow keys lead from tab to tab. */
export function Tabs({ label, tabs, chosen, onChoose }: TabsProps) {
  const list = useRef<HTMLDivElement>(null);
  const move = (event: KeyboardEvent) => {
    const at = tabs.findIndex(({ id }) => id === chosen);
    const step = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: -1 }[event.key];
    const next = step === undefined ? undefined : tabs.at(step % tabs.length);
    if (next === undefined) return;
    event.preventDefault();
    onChoose(next.id);
    list.current?.querySelector<HTMLElement>(`#tab-${next.id}`)?.focus();
  };
  return (
    <div class="card tabs">
      <div class="tab-list" role="tablist" aria-label={label} ref={list} onKeyDown={move}>
        {tabs.map(({ id, label }) => (
          <button
            key={id}
            type="button"
            role="tab"
            id={`tab-${id}`}
            aria-selected={id === chosen}
            aria-controls={`panel-${id}`}
            tabIndex={id === chosen ? 0 : -1}
            onClick={() => onChoose(id)}
          >
            {label}
          </button>
        ))}
      </div>
      {tabs.map(({ id, panel, isPrinted = false }) => (
        <div
          key={id}
          class="tab-panel"
          role="tabpanel"
          id={`panel-${id}`}
          aria-labelledby={`tab-${id}`}
          {...reachable}
          hidden={id !== chosen}
        >
          <Panel isDrawn={isPrinted || id === chosen}>{panel}</Panel>
        </div>
      ))}
    </div>
  );
}

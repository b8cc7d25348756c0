import { Component } from "preact";
import { useContext, useMemo, useState } from "preact/hooks";
import { exampleValue } from "../json/example-value.js";
import type { FieldKind } from "../json/field-kind.js";
import { constraintsOf, resolveSchema } from "../json/schema.js";
import { isObject, toPointer } from "../json/values.js";
import { Draft } from "../model/call.js";
import { useLatest } from "../parts/browser.js";
import { Icon, verbatim } from "../parts/controls.js";
import { Group } from "./field-frame.js";
import { type FieldProps, FormContext, fieldId, focusSoon, useField } from "./form-context.js";
import { PasteItems } from "./paste-items.js";

/** An item cannot be absent. An emptied field requires a value, or the removal of the item. */
const emptyItem = new Draft({ text: "", problem: "must have a value, or be removed", shown: true });

/** From so many items on, each is a row, and one of them is open. */
const collapsedFrom = 20;

type ListKind = Extract<FieldKind, { readonly kind: "array" }>;

/** A list, with a field for each item. Items can be added and removed. */
export function ListField(props: FieldProps & { readonly kind: ListKind }) {
  const { kind, schema, path, label, value } = props;
  const { part, root } = useContext(FormContext);
  const { id, messages } = useField(path);
  const items = itemsOf(value);
  const latest = useLatest(props);
  const edit = (change: (items: readonly unknown[]) => readonly unknown[]) =>
    latest.current.onChange(change(itemsOf(latest.current.value)));
  const itemId = (index: number) => fieldId(part, toPointer([...path, index]));
  const addId = `${id}:add`;
  const [opened, open] = useState<number>();
  const parts = {
    ...props,
    items,
    itemId,
    set: (index: number, next: unknown) =>
      edit((all) => all.map((one, at) => (at === index ? (next ?? emptyItem) : one))),
    remove: (index: number) => {
      edit((all) => all.filter((_one, at) => at !== index));
      open(undefined);
      focusSoon(addId);
    },
  };
  const isFull = kind.maxItems !== undefined && items.length >= kind.maxItems;
  return (
    <Group
      {...props}
      id={id}
      messages={messages}
      isList={true}
      hint={constraintsOf(resolveSchema(schema, root)).join(" · ") || undefined}
    >
      {items.length < collapsedFrom ? (
        items.map((_item, index) => <Item key={itemId(index)} {...parts} index={index} />)
      ) : (
        <Rows {...parts} opened={opened} open={open} />
      )}
      <div class="list-tools">
        <button
          type="button"
          class="add"
          id={addId}
          disabled={isFull}
          onClick={() => {
            edit((all) => [...all, exampleValue(kind.items, root)]);
            open(items.length);
            focusSoon(itemId(items.length));
          }}
        >
          <Icon name="plus" />
          <span>Add to {label}</span>
        </button>
        {path.some((step) => typeof step === "number") ? null : (
          <PasteItems label={label} items={kind.items} onPaste={(pasted) => edit(() => pasted)} />
        )}
      </div>
    </Group>
  );
}

function itemsOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

interface ItemsProps extends FieldProps {
  readonly kind: ListKind;
  readonly items: readonly unknown[];
  readonly itemId: (index: number) => string;
  readonly set: (index: number, next: unknown) => void;
  readonly remove: (index: number) => void;
}

function Item({ kind, path, label, items, set, remove, index }: ItemsProps & { readonly index: number }) {
  const { Field } = useContext(FormContext);
  return (
    <Field
      schema={kind.items}
      path={[...path, index]}
      label={`${label} ${index + 1}`}
      required={true}
      value={items[index]}
      onChange={(next) => set(index, next)}
      onRemove={() => remove(index)}
    />
  );
}

interface RowsProps extends ItemsProps {
  readonly opened: number | undefined;
  readonly open: (index: number | undefined) => void;
}

/** Many items, a row each, and the fields of the one that is open. */
function Rows({ opened, open, ...props }: RowsProps) {
  const { path, label, items } = props;
  const { issues } = useContext(FormContext);
  const [filter, setFilter] = useState("");
  const wrong = useMemo(
    () =>
      wrongItems(
        issues.map((issue) => issue.path),
        toPointer(path),
      ),
    [issues, path],
  );
  const found = useMemo(() => foundIn(items, filter), [items, filter]);
  // The same for as long as the items are: typing elsewhere need not look at hundreds of them.
  const rows = useMemo(
    () => (
      <ol>
        {found.map((index) => (
          <Row
            key={index}
            {...props}
            index={index}
            item={items[index]}
            isOpen={index === opened}
            isWrong={wrong.has(index)}
            open={open}
          />
        ))}
      </ol>
    ),
    [found, opened, wrong, toPointer(path)],
  );
  return (
    <div class="item-rows">
      <label class="item-filter">
        <span class="hidden">{`Filter ${label}`}</span>
        <Icon name="search" />
        <input
          type="search"
          placeholder={`Filter ${items.length} items`}
          {...verbatim}
          value={filter}
          onInput={(event) => setFilter(event.currentTarget.value)}
        />
        <span role="status">{filter === "" ? "" : `${found.length} of ${items.length}`}</span>
      </label>
      {rows}
    </div>
  );
}

interface RowProps extends ItemsProps, Pick<RowsProps, "open"> {
  readonly index: number;
  readonly item: unknown;
  readonly isOpen: boolean;
  readonly isWrong: boolean;
}

/** An item in a line and, while it is open, its fields. Drawn again only when it changes: there may be hundreds. */
class Row extends Component<RowProps> {
  override shouldComponentUpdate({ item, isOpen, isWrong, index }: RowProps): boolean {
    const now = this.props;
    return item !== now.item || isOpen !== now.isOpen || isWrong !== now.isWrong || index !== now.index;
  }

  render({ index, item, isOpen, isWrong, open, ...props }: RowProps) {
    const id = props.itemId(index);
    return (
      <li class={isOpen ? "opened" : undefined}>
        <button
          type="button"
          // The open item's own field has the id.
          id={isOpen ? undefined : id}
          class={isWrong ? "item-row wrong" : "item-row"}
          aria-expanded={isOpen}
          onClick={() => {
            open(isOpen ? undefined : index);
            if (!isOpen) focusSoon(id);
          }}
        >
          <span class="item-number">{index + 1}</span>
          <span class="item-text">{summaryOf(item)}</span>
          {isWrong ? <span class="field-error">needs a change</span> : null}
        </button>
        {isOpen ? <Item {...props} index={index} /> : null}
      </li>
    );
  }
}

const mostShown = 4;

function summaryOf(item: unknown): string {
  const values = isObject(item) && !(item instanceof Draft) ? Object.values(item) : [item];
  const plain = values.filter(
    (value) => value !== null && (typeof value !== "object" || value instanceof Draft),
  );
  const texts = plain
    .slice(0, mostShown)
    .map((value) => (value instanceof Draft ? value.text : String(value)));
  return texts.join(" · ") || "…";
}

/** The places of the items that have a text in them. */
function foundIn(items: readonly unknown[], filter: string): readonly number[] {
  const wanted = filter.trim().toLowerCase();
  const all = items.map((_item, index) => index);
  if (wanted === "") return all;
  return all.filter((index) =>
    JSON.stringify(items[index] ?? null)
      .toLowerCase()
      .includes(wanted),
  );
}

/** The places of the items that have errors in them. */
function wrongItems(paths: readonly string[], list: string): ReadonlySet<number> {
  const inside = paths.filter((path) => path.startsWith(`${list}/`));
  return new Set(inside.map((path) => Number(path.slice(list.length + 1).split("/")[0])));
}

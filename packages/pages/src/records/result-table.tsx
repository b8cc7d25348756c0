import type { DecisionInfo } from "@decern/core";
import type { RefObject } from "preact";
import { useMemo, useState } from "preact/hooks";
import type { RecordSummary } from "../model/data.js";
import { durationText, localTime, utcTime } from "../model/dates.js";
import { figure, headlineOf, toneOf } from "../model/reply.js";
import { toRecordFragment } from "./search.js";

/** By which times are shown. */
export type Clock = "utc" | "local";

interface ResultTableProps {
  readonly records: readonly RecordSummary[];
  /** Of the service, in which authors may name results. */
  readonly decisions: readonly DecisionInfo[];
  readonly clock: Clock;
  readonly tableRef: RefObject<HTMLTableElement | null>;
  readonly onOpen: (link: HTMLElement) => void;
}

/** Records, one a row. The whole row is a link. A batch is one row, which unfolds. */
export function ResultTable({ records, decisions, clock, tableRef, onOpen }: ResultTableProps) {
  const [unfolded, setUnfolded] = useState<ReadonlySet<string>>(new Set());
  const metas = useMemo(() => new Map(decisions.map(({ id, meta }) => [id, meta])), [decisions]);
  const row = (record: RecordSummary, number?: number) => (
    <Row
      key={record.recordId}
      record={record}
      meta={metas.get(record.decision.id)}
      {...{ number, clock, onOpen }}
    />
  );
  return (
    <table class="result-table" ref={tableRef}>
      <caption class="hidden">Records, newest first</caption>
      <thead>
        <tr>
          <th scope="col">{clock === "utc" ? "Time (UTC)" : "Local time"}</th>
          <th scope="col">Decision</th>
          <th scope="col">Result</th>
          <th scope="col">Rule</th>
          <th scope="col">Caller</th>
          <th scope="col">Took</th>
        </tr>
      </thead>
      <tbody>
        {batchesOf(records).map((batch) => {
          const [first] = batch;
          if (first === undefined) return null;
          if (batch.length < batchFrom) return batch.map((record) => row(record));
          const isOpen = unfolded.has(first.recordId);
          return [
            <BatchRow
              key={`batch ${first.recordId}`}
              {...{ batch, clock, isOpen }}
              onToggle={() =>
                setUnfolded((before) => {
                  const after = new Set(before);
                  if (!after.delete(first.recordId)) after.add(first.recordId);
                  return after;
                })
              }
            />,
            ...(isOpen ? batch.map((record, index) => row(record, index + 1)) : []),
          ];
        })}
      </tbody>
    </table>
  );
}

/** A call and its shadows have one request id too. */
const batchFrom = 4;

/** Records in a row that one request made. */
function batchesOf(records: readonly RecordSummary[]): readonly (readonly RecordSummary[])[] {
  const batches: RecordSummary[][] = [];
  for (const record of records) {
    const last = batches.at(-1);
    if (last?.[0]?.requestId === record.requestId) last.push(record);
    else batches.push([record]);
  }
  return batches;
}

/** More would not fit a row. */
const mostEnds = 3;

interface BatchRowProps extends Pick<ResultTableProps, "clock"> {
  readonly batch: readonly RecordSummary[];
  readonly isOpen: boolean;
  readonly onToggle: () => void;
}

function BatchRow({ batch, clock, isOpen, onToggle }: BatchRowProps) {
  const [first] = batch;
  const ended = new Map<string, number>();
  for (const { matchedRule, errorCode, status } of batch) {
    const end = matchedRule ?? errorCode ?? status;
    ended.set(end, (ended.get(end) ?? 0) + 1);
  }
  const ends = [...ended].sort(([, one], [, other]) => other - one).slice(0, mostEnds);
  const others = ends.reduce((left, [, count]) => left - count, batch.length);
  if (first === undefined) return null;
  return (
    <tr class="batch">
      <th scope="row">
        <button type="button" class="unfolds" aria-expanded={isOpen} onClick={onToggle}>
          <Time at={first.recordedAt} clock={clock} />
        </button>
      </th>
      <td class="result-decision">
        <span class="list-id">{first.decision.id}</span> <span class="version">{first.decision.version}</span>
      </td>
      <td class="result-outcome">
        <strong>{batch.length} records</strong> of one request
      </td>
      <td class="result-rule" colSpan={3}>
        {ends.map(([end, count]) => (
          <span key={end} class="batch-end">
            {count} <code>{end}</code>
          </span>
        ))}
        {others === 0 ? null : <span class="batch-end aside">{others} others</span>}
      </td>
    </tr>
  );
}

interface RowProps extends Pick<ResultTableProps, "clock" | "onOpen"> {
  readonly record: RecordSummary;
  readonly meta: unknown;
  /** Its place in its batch. */
  readonly number: number | undefined;
}

function Row({ record, meta, number, clock, onOpen }: RowProps) {
  const { recordId, recordedAt, decision, status, matchedRule, errorCode, caller, durationSeconds } = record;
  const reason = matchedRule ?? errorCode;
  return (
    <tr class={number === undefined ? undefined : "in-batch"}>
      <th scope="row">
        <a
          href={toRecordFragment(recordId)}
          data-record={recordId}
          onClick={(event) => onOpen(event.currentTarget)}
        >
          {number === undefined ? null : <span class="item-number">{number}</span>}
          <Time at={recordedAt} clock={clock} />
        </a>
      </th>
      <td class="result-decision">
        <span class="list-id">{decision.id}</span> <span class="version">{decision.version}</span>{" "}
        {record.selectedBy === "shadow" ? <span class="tag">shadow</span> : null}
      </td>
      <td class="result-outcome">
        <Result record={record} meta={meta} />{" "}
        {status === "OK" ? null : (
          <strong class={`used-status ${toneOf(status)}`}>{status.replaceAll("_", " ")}</strong>
        )}{" "}
        {record.hasPayload ? null : <span class="tag">no data</span>}
      </td>
      <td class="result-rule">{reason === undefined ? null : <code>{reason}</code>}</td>
      <td class="result-caller">{caller ?? ""}</td>
      <td class="result-took">{durationText(durationSeconds)}</td>
    </tr>
  );
}

const mostOutputs = 2;

/** The result in its author's words, else its first outputs, else that there was one. */
function Result({ record: { output, status }, meta }: Pick<RowProps, "record" | "meta">) {
  if (output === undefined) return status === "OK" ? <span class="aside">OK</span> : null;
  const headline = headlineOf(meta, output);
  if (headline !== undefined) return <strong>{headline}</strong>;
  return (
    <>
      {Object.entries(output)
        .slice(0, mostOutputs)
        .map(([name, value]) => (
          <span key={name} class="result-output">
            <span class="aside">{name}</span> {figure(value)}
          </span>
        ))}
    </>
  );
}

/** An instant by one clock, with the other for those who point at it. */
function Time({ at, clock }: { readonly at: string; readonly clock: Clock }) {
  const isUtc = clock === "utc";
  return (
    <time dateTime={at} title={isUtc ? localTime(at) : `${utcTime(at)} UTC`}>
      {(isUtc ? undefined : localTime(at)) ?? utcTime(at)}
    </time>
  );
}

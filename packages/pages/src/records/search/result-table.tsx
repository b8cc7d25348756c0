import type { RefObject } from "preact";
import type { RecordSummary } from "../../model/data.js";
import { toneOf } from "../../model/reply.js";
import { toRecordFragment } from "../model/records-route.js";
import { utcTime } from "../model/times.js";

interface ResultTableProps {
  readonly records: readonly RecordSummary[];
  readonly tableRef: RefObject<HTMLTableElement | null>;
  readonly onOpen: (link: HTMLElement) => void;
}

/** Records, one a row. The whole row is a link. */
export function ResultTable({ records, tableRef, onOpen }: ResultTableProps) {
  return (
    <table class="result-table" ref={tableRef}>
      <caption class="hidden">Records, newest first</caption>
      <thead>
        <tr>
          <th scope="col">Time (UTC)</th>
          <th scope="col">Decision</th>
          <th scope="col">Outcome</th>
          <th scope="col">Caller</th>
          <th scope="col">Request</th>
        </tr>
      </thead>
      <tbody>
        {records.map((record) => (
          <Row key={record.recordId} record={record} onOpen={onOpen} />
        ))}
      </tbody>
    </table>
  );
}

interface RowProps extends Pick<ResultTableProps, "onOpen"> {
  readonly record: RecordSummary;
}

function Row({ record, onOpen }: RowProps) {
  const { recordId, recordedAt, decision, status, matchedRule, errorCode, caller, requestId } = record;
  const reason = matchedRule ?? errorCode;
  return (
    <tr>
      <th scope="row">
        <a
          href={toRecordFragment(recordId)}
          data-record={recordId}
          onClick={(event) => onOpen(event.currentTarget)}
        >
          <time dateTime={recordedAt}>{utcTime(recordedAt)}</time>
        </a>
      </th>
      <td class="result-decision">
        <span class="list-id">{decision.id}</span> <span class="version">{decision.version}</span>{" "}
        {record.selectedBy === "shadow" ? <span class="tag">shadow</span> : null}
      </td>
      <td class="result-outcome">
        <strong class={`used-status ${toneOf(status)}`}>{status.replaceAll("_", " ")}</strong>{" "}
        {reason === undefined ? null : <code>{reason}</code>}{" "}
        {record.hasPayload ? null : <span class="tag">no data</span>}
      </td>
      <td class="result-caller">{caller ?? ""}</td>
      <td class="result-request">
        <code>{requestId}</code>
      </td>
    </tr>
  );
}

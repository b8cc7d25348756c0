// Puts reports into the summary of the job, and into one comment on the pull request: the next run replaces it.
// Usage: node replay-comment.mjs replay.md
import { appendFileSync, readFileSync } from "node:fs";

const {
  GITHUB_API_URL = "https://api.github.com",
  GITHUB_REPOSITORY,
  GITHUB_STEP_SUMMARY,
  GITHUB_TOKEN,
  GITHUB_WORKFLOW = "replay",
  PULL_REQUEST,
} = process.env;
const mark = `<!-- decern ${GITHUB_WORKFLOW} -->`;

const paths = process.argv.slice(2);
if (paths.length === 0 || GITHUB_REPOSITORY === undefined || PULL_REQUEST === undefined) {
  console.error(
    "Usage: GITHUB_REPOSITORY=… PULL_REQUEST=… GITHUB_TOKEN=… node replay-comment.mjs <report.md…>",
  );
  process.exit(1);
}
const reports = paths.map((path) => readFileSync(path, "utf8"));
const empty = paths.find((_path, index) => reports[index].trim() === "");
if (empty !== undefined) {
  console.error(`${empty} is empty: there is nothing to comment`);
  process.exit(1);
}
if (GITHUB_STEP_SUMMARY !== undefined) appendFileSync(GITHUB_STEP_SUMMARY, reports.join("\n"));

// A comment holds 65,536 characters. Each report fits into one by itself.
let body = mark;
for (const report of reports)
  body += body.length + report.length < 65_000 ? `\n${report}` : "\n_More is in the summary of the job._\n";

const comments = `/repos/${GITHUB_REPOSITORY}/issues/${PULL_REQUEST}/comments`;
const earlier = await earlierComment();
const response =
  earlier === undefined
    ? await call("POST", comments, { body })
    : await call("PATCH", `/repos/${GITHUB_REPOSITORY}/issues/comments/${earlier}`, { body });
if (response.status === 403) {
  // A pull request from a fork has a token that may only read.
  console.log("::warning::This token may not comment. The report is in the summary of the job.");
} else if (!response.ok) {
  throw new Error(`GitHub answered ${response.status}: ${await response.text()}`);
}

/** The id of the comment that an earlier run left. Anybody can write the mark, so only those of bots count. */
async function earlierComment() {
  for (let page = 1; ; page += 1) {
    const found = await call("GET", `${comments}?per_page=100&page=${page}`);
    if (!found.ok) throw new Error(`GitHub answered ${found.status}: ${await found.text()}`);
    const list = await found.json();
    const own = list.find((comment) => comment.user?.type === "Bot" && comment.body?.startsWith(mark));
    if (own !== undefined) return own.id;
    if (list.length < 100) return undefined;
  }
}

function call(method, place, content) {
  return fetch(GITHUB_API_URL + place, {
    method,
    headers: {
      accept: "application/vnd.github+json",
      authorization: `Bearer ${GITHUB_TOKEN}`,
      "content-type": "application/json",
      "x-github-api-version": "2022-11-28",
    },
    ...(content === undefined ? {} : { body: JSON.stringify(content) }),
  });
}

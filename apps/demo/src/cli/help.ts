/** What `--help` prints. */
export const help = `Decern demo: four decisions behind HTTP.

Usage: node apps/demo/dist/main.js [options]

Options                       with [the environment variable that does the same; what happens without either]
  --port NUMBER               Port to listen on; 0 takes any free one. [PORT; 3000]
  --host NAME                 Host name or address; 0.0.0.0 for every interface. [HOST; localhost]
  --profiles FILE             JSON object of profiles by decision id. A decision that is not in the file
                              keeps its built-in profile. [DECERN_PROFILES; built-in]
  --[no-]profile-override     Let a request bring a profile of its own. [DECERN_PROFILE_OVERRIDE; on]
  --[no-]metrics              Serve Prometheus metrics at /metrics. [DECERN_METRICS; on]
  --[no-]openapi              Serve /openapi.json, and Swagger UI at /swagger. [DECERN_OPENAPI; on]
  --[no-]cors                 Answer to pages of other origins. [DECERN_CORS; on]
  --max-delay MILLISECONDS    Answer 503 while the process is busy for longer than this at a stretch.
                              [DECERN_MAX_DELAY; never]
  -h, --help                  Print this, and end.

A flag goes before its variable. Switches in the environment are on or off, true or false, yes or no, 1 or 0.

Environment only, because everyone on a machine can read the arguments of a process
  DECERN_API_KEYS             Keys, separated by commas. When set, a caller has to send one of them as
                              x-api-key.

Signals
  SIGTERM, SIGINT             Refuse new requests, finish those that run, and end with code 0. A second
                              one does not wait.

Exit codes
  0  ended as asked           1  could not start or stop           2  a wrong flag, value or file

Decisions: loan-approval, transaction-risk, news2, document-access. Try http://localhost:3000/docs.
`;

/** The text that `--help` prints. */
export const help = `Decern demo: five decisions behind HTTP.

Usage: node apps/demo/dist/main.js [options]

Options                       [environment variable; default]
  --port NUMBER               Port to listen on; 0 chooses a free one. [PORT; 3000]
  --host NAME                 Host name or address; 0.0.0.0 for every interface. [HOST; localhost]
  --profiles FILE             JSON object of profiles by decision id. A decision missing from the file
                              keeps its built-in profile. The file is read again and again: edit it, and
                              replies change without a restart. A file with a mistake changes nothing.
                              [DECERN_PROFILES; built-in]
  --reload MILLISECONDS       How long to wait before the profiles file is read again.
                              [DECERN_RELOAD; 5000]
  --roll-out PERCENT          How many of the callers in DECERN_CALLERS get version 2.0.0 of loan-approval.
                              Everybody else gets 1.2.0, while 2.0.0 is evaluated as a shadow. At 100,
                              2.0.0 is the default and 1.2.0 is deprecated. [DECERN_ROLL_OUT; 10]
  --records FOLDER            Keep a record of every decision in files in this folder. If DECERN_CALLERS has
                              an auditor, that caller finds them at /records. [DECERN_RECORDS; off]
  --[no-]profile-override     Let callers send their own profile. [DECERN_PROFILE_OVERRIDE; on]
  --[no-]metrics              Serve Prometheus metrics at /metrics. [DECERN_METRICS; on]
  --[no-]openapi              Serve /openapi.json, and Swagger UI at /swagger. [DECERN_OPENAPI; on]
  --[no-]cors                 Allow requests from pages of other origins. [DECERN_CORS; on]
  --max-delay MILLISECONDS    Reply 503 while the event loop is delayed by more than this.
                              [DECERN_MAX_DELAY; no limit]
  --max-connection-age MILLISECONDS
                              End connections of clients after about this long, so that they spread over
                              new processes. No request is cut. [DECERN_MAX_CONNECTION_AGE; 300000]
  -h, --help                  Print this help.

A flag takes precedence over its variable. The values of a switch are on or off, true or false, yes or no,
1 or 0.

Environment only, because other users of the machine can read a process's arguments
  DECERN_API_KEYS             Keys, separated by commas. If set, callers must send one of them as
                              x-api-key.
  DECERN_CALLERS              The same with a name for each caller, such as shop=key1,branch=key2. A name
                              may occur several times. The caller credit-union has a stricter policy for
                              loan-approval: the profile loan-approval#strict.
  DECERN_SUBJECT_KEY          Key of the pseudonyms by which the records of a loan's customer are found and
                              erased: at least 16 bytes. Without it, records have none.

Signals
  SIGTERM, SIGINT             Refuse new requests, finish running ones, and exit with code 0. A second
                              signal does not wait.

Exit codes
  0  stopped on request       1  could not start or stop       2  an invalid flag, value or file

Decisions: loan-approval, transaction-risk, news2, document-access, instalment-plan.
Try http://localhost:3000/docs.
`;

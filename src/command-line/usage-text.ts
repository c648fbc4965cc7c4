/** Help texts of the command line by command, printed by `anode help <command>`. */
export const usage: Readonly<Record<string, string>> = {
  anode: `anode: runs a coding agent on a checked-out repository, without anybody watching

  anode run --prompt TEXT     a run on a local checkout, no GitHub involved
  anode resume RUN [ANSWER]   goes on with a run that waits for an answer, or was stopped
  anode review --base REF     reviews a local change, with or without a model
  anode event --name NAME --payload FILE
                              takes one GitHub event, as the App or the Action would
  anode tools list|show|use   the agent's tools, and one called by hand
  anode policy check|test|explain
                              what a permission policy says, without a run
  anode changes RUN           what a run changed, with diffs
  anode commit RUN            commits what a run changed
  anode verify FILE|COMMIT    checks who vouches for a commit of a run
  anode restore RUN [PATH]    puts back what a run changed
  anode report RUN            a run as one page of HTML
  anode harness WORD          checks, inspects, verifies and replays the records of runs
  anode serve                 the GitHub App: webhooks in, runs out
  anode forget REPO           deletes what the App keeps of a repository
  anode init                  writes workflows that use Anode CI, and a configuration
  anode doctor                what is missing to run here, and the cure
  anode help COMMAND          the options of one command
  anode --version             which version this is`,
  run: `anode run --prompt TEXT [options]

  --prompt TEXT      the task; - reads it from standard input
  --cwd DIR          the checkout, or a folder of it for commands to start in (default: this folder)
  --profile P        craft (default), quick, study, oracle, find, review, or one of your own
  --preset P         careful (default), strict, unrestricted (or yolo)
  --model P/NAME     provider and model; default: by the first key found in the environment
  --sandbox MODE     preferred (default: without one, no commands), required, off
  --max-turns N      model turns at most (default: the profile's)
  --config FILE      a configuration file over ~/.config/anode/config.json
  --output FORMAT    text (default), json: one object, stream-json: one event a line
  --output-schema FILE
                     JSON Schema of the answer; it is asked for again until it is valid, three times at most

Exit code: 0 done, 1 failed, 2 bad usage or configuration, 3 a limit was reached, 4 waiting for an answer`,
  resume: `anode resume RUN [ANSWER | --answer KEY=VALUE …] [--cwd DIR] [--preset P] [--sandbox MODE] [--config FILE] [--max-turns N] [--output FORMAT]

Goes on with a run that ended with exit code 4. RUN is its id; ANSWER what its question gets.
Several questions take one --answer each, by the key or number that the run printed. On a terminal,
what is left out is asked for; elsewhere the default holds.
One that a limit or a failure stopped goes on with limits of its own; ANSWER is what you add, if anything.
Where a call waits for approval (permissions.onAsk: comment), ANSWER is one of

  approve [HASH]     makes that call, once, if it still does what was shown and HEAD has not moved
  deny [REASON]      goes on without it

Permissions are computed again from these options; only the conversation and the changes are restored.`,
  review: `anode review --base REF [--head REF] [--checks-only] [options]

Reviews what HEAD changed since it left REF: the checks that need no model, then a model.

  --base REF         the branch or commit to compare with
  --head REF         what to review (default: the work tree, with all that is not committed)
  --checks-only      no model: conflict markers, credentials, workflows and scripts that run by themselves, lock files,
                     large and binary files, hidden characters, the repository's linters on changed lines
  --format FORMAT    text (default), json, sarif, markdown
  --output FILE      writes the review there and not to standard output
  --threshold LEVEL  info, low, medium, high, critical, or none; default: review.minSeverity, else medium
  --cwd DIR          the checkout (default: this folder)
  --model P/NAME     provider and model; default: by the first key found in the environment
  --sandbox MODE     preferred (default), required, off; linters run in a working sandbox only
  --max-turns N      model turns at most (default: the profile's)
  --config FILE      a configuration file over ~/.config/anode/config.json, both over the \`review\` part of REF's own

Exit code: 0 nothing at the threshold, 1 findings at or above it, 2 bad usage or configuration, 3 nothing at the
threshold, but the model did not come to its end, or came there without reporting anything, not even that it found nothing`,
  event: `anode event --name NAME --payload FILE [--dry-run] [--output text|json]

  --name NAME        the event: issue_comment, pull_request, issues, …
  --payload FILE     its payload as GitHub sends it, JSON
  --dry-run          decide only: reads from GITHUB_API_URL with GITHUB_TOKEN, writes nothing anywhere
  --output FORMAT    text (default) or json: {decision, reason, trigger, plan}`,
  tools: `anode tools list [--profile P] [--config FILE] [--cwd DIR] [--json]
anode tools show NAME [--profile P] [--config FILE] [--cwd DIR] [--json]
anode tools use NAME [--arg NAME=VALUE]... [--arg-json NAME=JSON]... [--json '{...}'] [options]

  --profile P        only what a run by it would have, ANODE_TOOL_PROFILE and --config counted in
  --arg, --arg-json  one argument, as text or as JSON; over those of --json
  --json '{...}'     (use) all arguments as one object
  --cwd DIR          the checkout, whose toolbox counts in too (default: this folder)
                     (use) task, oracle, code_review and the like start children with the configured model;
                     ask_user reads the answer from standard input
  --allow-non-read   (use) stands for your approval of a tool that does not only read
  --sandbox MODE     (use) preferred (default), required, off
  --config FILE      a configuration file over ~/.config/anode/config.json
  --output FORMAT    (use) text (default) or json: {ok, content, data, spill} or {ok, error: {kind, message}}

Exit code: 0 and the result, 1 and the tool's error, 2 bad usage`,
  policy: `anode policy check --tool NAME [--json '{...}'] [--context main|child] [--read-only] [options]
anode policy test FILE [options]
anode policy explain [--policy FILE] [--preset P] [--output text|json]

check says what would become of one call, by the gate of a run; test holds a policy to a table of expectations;
explain prints what preset and policy amount to. No call is made; programs that delegate rules name are asked.

  --policy FILE      a configuration file, or a bare list of rules (default: ~/.config/anode/config.json)
  --preset P         careful, strict, unrestricted (or yolo); default: the policy's
  --tool NAME        (check) a tool by any of its names
  --json '{...}'     (check) its arguments as one object
  --context CONTEXT  (check) main (default) or child
  --read-only        (check) under the ceiling of forks, reviews and people who may only read
  --sandbox on|off   whether a working sandbox is taken to stand around commands (default: off)
  --cwd DIR          the checkout that paths are looked up in (default: this folder)
  --output FORMAT    text (default) or json; check: {action, rule, reason, commands}

FILE of test, YAML or JSON: a list of {name, tool, args, preset, context, sandbox, readOnly, expect, rule}, of which
tool and expect (allow, ask, reject) are needed; or {policy, preset, sandbox, tests: the list}, the policy's path
being relative to FILE.

Exit code: check and explain 0, whatever the verdict; test 0 where all expectations are met, 1 where not;
2 bad usage, or a policy that cannot be used`,
  harness: `anode harness inspect|ledger|verify RUN [--json] [--cwd DIR]
anode harness replay RUN [--execute-read-only] [--json] [--cwd DIR]
anode harness export RUN --format atif|otlp [--cwd DIR]
anode harness check [--json] [--cwd DIR]
anode harness smoke [--json] [--cwd DIR]
anode harness bench [--runs N] [--dry-run] [--json] [--cwd DIR]

inspect shows settings, time, calls with their decisions, changes and refusals of a run.
ledger prints each entry of its record.
verify checks that the record is as it was written: each line names the hash of the line before. With
ANODE_LEDGER_KEY set for the run and for verify, the end of the record is signed as well.
replay sorts the recorded calls into read-only, to inspect, and skipped. It runs nothing by default.
export prints a run as JSON for other tools: a trajectory (atif), or OpenTelemetry spans (otlp).
check verifies all records of the checkout.
smoke makes a whole run in a scratch repository with a scripted model, without a key.
bench repeats the smoke run and prints the medians.

  --execute-read-only  (replay) repeats calls that only read the checkout, and compares their output
  --format FORMAT      (export) atif: with the conversation; otlp: times, tokens and decisions only
  --runs N             (bench) the number of runs (default: 5)
  --dry-run            (bench) prints what it would do
  --json               one JSON object
  --cwd DIR            the checkout (default: this folder)

Exit code: 0, or 1 for a changed record, a replay that differs or a failed check; 2 bad usage`,
  changes: `anode changes RUN [--json] [--cwd DIR]

Prints what each call of the run RUN did to each file: kind, hashes before and after, risk, validation, diff.

  --json             the same as JSON
  --cwd DIR          the checkout (default: this folder)

Exit code: 0, 2 bad usage`,
  commit: `anode commit RUN [--message TEXT] [--force] [--cwd DIR]

Commits the files that the run RUN changed, and nothing else, with your git, its hooks and your name.
The message names the run (Anode-Run). Files that changed after the run stop it.

  --message TEXT     the message (default: one line on the run, in the style of the last commits)
  --force            commits the files as they are now, also where they changed after the run
  --cwd DIR          the checkout (default: this folder)

Exit code: 0 committed, 1 nothing was committed, 2 bad usage; git's own where git refuses`,
  verify: `anode verify FILE|COMMIT [--key FILE] [--json] [--cwd DIR]

Checks an attestation: a signed statement on how a run made a commit. FILE is a signed envelope (DSSE).
COMMIT is a commit of the checkout, whose attestation is its note below refs/notes/anode. Needs no network.

  --key FILE         the public keys to believe, Ed25519 as PEM (default: that of ANODE_SIGNING_KEY)
  --json             {statement, problems} as JSON
  --cwd DIR          the checkout (default: this folder)

Exit code: 0 all fits, 1 something does not fit or is missing, 2 bad usage`,
  restore: `anode restore RUN [PATH] [--cwd DIR] [--dry-run] [--force]

Puts files back as they were before the run RUN changed them: all of them, or PATH (a file or a folder).
A file that was changed again after the run is left as it is, and so are the others.

  --cwd DIR          the checkout (default: this folder)
  --dry-run          only says what would be done
  --force            also puts back what was changed after the run

Exit code: 0 done, 1 something was left as it is, 2 bad usage`,
  report: `anode report RUN [--cwd DIR] [--output FILE]

Makes one page of HTML of the run RUN: what was asked and answered, every turn and call with its output, diffs,
tokens and cost, findings, and what was refused. The page needs nothing besides itself and runs no script.

  --cwd DIR          the checkout (default: this folder)
  --output FILE      where to write it, - for standard output (default: report.html beside the run's record)

Exit code: 0 and the path of the page, 2 bad usage`,
  serve: `anode serve

The App's server, configured by its environment: APP_ID, PRIVATE_KEY or PRIVATE_KEY_PATH, WEBHOOK_SECRET, a model
key; PORT (3000), HOST, DATABASE_URL, ANODE_DATA_DIR, LOG_LEVEL are optional.`,
  forget: `anode forget REPO
anode forget --all-of INSTALLATION

Deletes all that the App and anode event keep of a repository: sessions, past runs, findings, mirrors, records, results of set-ups and
deliveries. REPO is owner/name, as the App saw it last, or its id. What still runs for it comes to nothing.
With the database in the data folder, stop the App first; with DATABASE_URL it may go on.

  --all-of ID        every repository of an installation

Uses ANODE_DATA_DIR and DATABASE_URL as anode serve does.

Exit code: 0 and how much it was, 2 bad usage, or a repository that nothing is kept of`,
  init: `anode init [--use NAME,…] [options]
anode init --from FILE [options]

Writes workflows to .github/workflows, and .github/anode.yml unless there is a configuration. Then it prints what
to do next. On a terminal it asks for what no option says. It replaces no file without --force.
With --from it translates a workflow of claude-code-action, codex-action or run-gemini-cli, beside it, and lists
what has no counterpart.

  --from FILE        the workflow to translate
  --use NAME,…       review (each pull request), comments (tasks), issues (to pull requests), failed-build (repair),
                     forks (review), checks (without a model), nightly (report on issues), dependencies (update),
                     release-notes, monorepo (review of one package), ghes (comments), two-jobs (comments),
                     local-model (comments)
  --provider P       whose model (default: anthropic)
  --model P/NAME     provider and model (default: the provider's)
  --action NAME      owner and name of your release of the Action (default: OWNER/anode-ci, to be replaced)
  --ref REF          its tag or full commit (default: v1)
  --app-token        commits with the token of a GitHub App, so that they start your other workflows
  --dry-run          prints the files and writes nothing
  --force            replaces files that are there
  --cwd DIR          the clone (default: this folder)

Exit code: 0 done, 2 bad usage, or a file is there with another text`,
  doctor: `anode doctor [--config FILE] [--output text|json]
anode doctor --workflow FILE [--output text|json]

Checks Node, git, the sandbox, model keys, the tools that others bring (toolbox, servers, plug-ins) to runs on the checkout you stand in,
and the App's credentials, one line each with the cure.

With --workflow it checks a workflow that uses Anode CI instead: permissions, events, secrets, inputs, pinned actions.
Each mistake has its line, its consequence and the lines to write.

  --config FILE      a configuration file over ~/.config/anode/config.json
  --workflow FILE    the workflow, such as .github/workflows/anode.yml
  --output FORMAT    text (default), json: the same as a list

Exit code: 0 when a local run, or the workflow, would work; 1 when it would not, or the workflow is unsafe.`,
};

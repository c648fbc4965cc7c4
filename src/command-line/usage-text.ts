/** Help texts of the command line by command, printed by `anode help <command>`. */
export const usage: Readonly<Record<string, string>> = {
  anode: `anode: runs a coding agent unattended on a checked-out repository

  anode run --prompt TEXT     runs a task on a local checkout, without GitHub
  anode resume RUN [ANSWER]   continues a run that waits for an answer or was stopped
  anode review --base REF     reviews a local change, with or without a model
  anode event --name NAME --payload FILE
                              handles one GitHub event, as the App or the Action would
  anode tools list|show|use   shows the agent's tools, and calls one
  anode policy check|test|explain
                              shows what a permission policy decides, without a run
  anode changes RUN           prints the changes of a run, with diffs
  anode commit RUN            commits the changes of a run
  anode verify FILE|COMMIT    checks the attestation of a commit
  anode restore RUN [PATH]    undoes the changes of a run
  anode report RUN            writes a run as one HTML page
  anode harness WORD          checks, inspects, verifies and replays the records of runs
  anode eval DIR              runs tasks with a check, to compare models, profiles and prompts
  anode serve                 starts the GitHub App
  anode stats                 prints the cost of runs, and how many results were accepted
  anode forget REPO           deletes the App's state of a repository
  anode init                  writes workflows that use Anode CI, and a configuration
  anode doctor                lists what is missing to run here, with the remedy
  anode help COMMAND          prints the options of one command
  anode --version             prints the version`,
  run: `anode run --prompt TEXT [options]

  --prompt TEXT      the task; - reads it from standard input
  --cwd DIR          the checkout, or the folder in it where commands start (default: this folder)
  --profile P        craft (default), quick, study, oracle, find, review, or one of your own
  --preset P         careful (default), strict, unrestricted (or yolo)
  --model P/NAME     provider and model (default: that of the first key in the environment)
  --sandbox MODE     preferred (default; without a sandbox no commands run), required, off
  --max-turns N      maximum turns of the model (default: the profile's)
  --config FILE      a configuration file over ~/.config/anode/config.json
  --output FORMAT    text (default), json: one object, stream-json: one event a line
  --output-schema FILE
                     JSON Schema of the answer; the model has three tries to meet it

Exit code: 0 done, 1 failed, 2 wrong usage or configuration, 3 a limit was reached, 4 waiting for an answer`,
  resume: `anode resume RUN [ANSWER | --answer KEY=VALUE …] [--cwd DIR] [--preset P] [--sandbox MODE] [--config FILE] [--max-turns N] [--output FORMAT]

Continues a run that ended with exit code 4. RUN is its id, ANSWER the answer to its question.
Several questions take one --answer each, by the key or number that the run printed. On a terminal
the command asks for missing answers; elsewhere their defaults apply.
A run that a limit or a failure stopped continues with new limits. ANSWER is then an optional message.
If a call waits for approval (permissions.onAsk: comment), ANSWER is one of

  approve [HASH]     makes the call once, unless its effect or HEAD has changed
  deny [REASON]      continues without it

Permissions come from these options again. Only the conversation and the changes are restored.`,
  review: `anode review --base REF [--head REF] [--checks-only] [options]

Reviews the changes of HEAD since its merge base with REF: first by checks without a model, then by a model.

  --base REF         the branch or commit to compare with
  --head REF         the head to review (default: the work tree with its uncommitted changes)
  --checks-only      no model: conflict markers, credentials, workflows, scripts that start on their own, lock files,
                     large and binary files, hidden characters, and the repository's linters on changed lines
  --format FORMAT    text (default), json, sarif, markdown
  --output FILE      writes the review to a file instead of standard output
  --threshold LEVEL  info, low, medium, high, critical, or none; default: review.minSeverity, else medium
  --cwd DIR          the checkout (default: this folder)
  --model P/NAME     provider and model (default: that of the first key in the environment)
  --sandbox MODE     preferred (default), required, off; linters need a working sandbox
  --max-turns N      maximum turns of the model (default: the profile's)
  --config FILE      a configuration file over ~/.config/anode/config.json, both over the \`review\` part of REF's own

Exit code: 0 no finding at the threshold, 1 findings at or above it, 2 wrong usage or configuration, 3 no finding at
the threshold, but the model did not finish or reported no result`,
  event: `anode event --name NAME --payload FILE [--dry-run] [--output text|json]

  --name NAME        the event: issue_comment, pull_request, issues, …
  --payload FILE     its payload as GitHub sends it, JSON
  --dry-run          only decides: reads from GITHUB_API_URL with GITHUB_TOKEN and writes nothing
  --output FORMAT    text (default) or json: {decision, reason, trigger, plan}`,
  tools: `anode tools list [--profile P] [--config FILE] [--cwd DIR] [--json]
anode tools show NAME [--profile P] [--config FILE] [--cwd DIR] [--json]
anode tools use NAME [--arg NAME=VALUE]... [--arg-json NAME=JSON]... [--json '{...}'] [options]

  --profile P        only the tools of a run with this profile, under ANODE_TOOL_PROFILE and --config
  --arg, --arg-json  one argument, as text or as JSON; overrides --json
  --json '{...}'     (use) all arguments as one object
  --cwd DIR          the checkout, with its toolbox (default: this folder)
                     (use) task, oracle, code_review and others start children with the configured model;
                     ask_user reads the answer from standard input
  --allow-non-read   (use) approves a tool that does more than read
  --sandbox MODE     (use) preferred (default), required, off
  --config FILE      a configuration file over ~/.config/anode/config.json
  --output FORMAT    (use) text (default) or json: {ok, content, data, spill} or {ok, error: {kind, message}}

Exit code: 0 with the result, 1 with the tool's error, 2 wrong usage`,
  policy: `anode policy check --tool NAME [--json '{...}'] [--context main|child] [--read-only] [options]
anode policy test FILE [options]
anode policy explain [--policy FILE] [--preset P] [--output text|json]

check prints the gate's decision on one call. test compares a policy with a table of expected decisions.
explain prints the rules of preset and policy. No call is made. Programs of delegate rules are run.

  --policy FILE      a configuration file, or a bare list of rules (default: ~/.config/anode/config.json)
  --preset P         careful, strict, unrestricted (or yolo); default: the policy's
  --tool NAME        (check) a tool by any of its names
  --json '{...}'     (check) its arguments as one object
  --context CONTEXT  (check) main (default) or child
  --read-only        (check) under the ceiling of forks, reviews and people who may only read
  --sandbox on|off   assumes that commands run in a sandbox, or not (default: off)
  --cwd DIR          the checkout in which paths are resolved (default: this folder)
  --output FORMAT    text (default) or json; check: {action, rule, reason, commands}

FILE of test is YAML or JSON: a list of {name, tool, args, preset, context, sandbox, readOnly, expect, rule}.
Required are tool and expect (allow, ask, reject). Or it is {policy, preset, sandbox, tests: the list}, where
policy is a path relative to FILE.

Exit code: check and explain 0 for every decision; test 0 if all expectations are met, else 1;
2 wrong usage, or a policy with an error`,
  harness: `anode harness inspect|ledger|verify RUN [--json] [--cwd DIR]
anode harness replay RUN [--execute-read-only] [--json] [--cwd DIR]
anode harness export RUN --format atif|otlp [--cwd DIR]
anode harness check [--json] [--cwd DIR]
anode harness smoke [--json] [--cwd DIR]
anode harness bench [--runs N] [--dry-run] [--json] [--cwd DIR]

inspect prints settings, time, calls with their decisions, changes and refusals of a run.
ledger prints each entry of its record.
verify checks that nobody changed the record: each line names the hash of the line before. With
ANODE_LEDGER_KEY set for the run and for verify, the end of the record is signed too.
replay sorts the recorded calls into read-only, inspect-only and skipped. By default it runs nothing.
export prints a run as JSON for other tools: a trajectory (atif), or OpenTelemetry spans (otlp).
check verifies all records of the checkout.
smoke makes a whole run in a scratch repository with a scripted model, without a key.
bench repeats the smoke run and prints the medians.

  --execute-read-only  (replay) repeats calls that only read the checkout, and compares their output
  --format FORMAT      (export) atif: with the conversation; otlp: times, tokens and decisions only
  --runs N             (bench) the number of runs (default: 5)
  --dry-run            (bench) prints the plan only
  --json               one JSON object
  --cwd DIR            the checkout (default: this folder)

Exit code: 0; 1 for a changed record, a replay that differs or a failed check; 2 wrong usage`,
  eval: `anode eval DIR [--model P/NAME,…] [--profile P,…] [--template FILE,…] [options]
anode eval DIR --transcript FOLDER [options]
anode eval DIR --reference [options]
anode eval --polyglot DIR [--language NAME,…] [--limit N] [options]

Runs the tasks of a folder, each on a fresh repository, and checks their results in a sandbox. Prints for each
model, profile and template which tasks passed, with turns, tokens, cost and time. A task whose check passes before
the run is refused, before any model is called. With --polyglot the tasks are the exercises of a checkout of Aider's
polyglot-benchmark, with two tries each; a language whose tools are missing is skipped and counted.

  --polyglot           DIR is a checkout of Aider's polyglot-benchmark
  --language NAME,…    (polyglot) only these: cpp, go, java, javascript, python, rust
  --limit N            (polyglot) only the first N exercises of each language
  --model P/NAME,…     the models to compare (default: that of the first key in the environment)
  --profile P,…        the profiles to compare (default: that of the task, else of the configuration)
  --template FILE,…    prompts to compare: files in which {{prompt}} stands for the task's own; task is that alone
  --transcript FOLDER  plays FOLDER/TASK/transcript.json, also as --keep wrote it, without a model
  --reference          needs no model: applies the reference solutions, whose checks must pass
  --task NAME,…        only these tasks; globs are allowed
  --repeat N           trials of each task (default: 1); prints pass@N and the deviation
  --least PERCENT      the share of trials that must pass for exit code 0 (default: 100%)
  --keep FOLDER        keeps result, output of the check, records of runs and a transcript of each trial
  --json               one JSON object
  --preset P           careful (default), strict, unrestricted (or yolo)
  --sandbox MODE       required (default), preferred, off: also of the checks, which run code of the trial
  --max-turns N        maximum turns of the model (default: the task's, else the profile's)
  --config FILE        a configuration file over ~/.config/anode/config.json

Exit code: 0 enough passed, 1 not enough or interrupted, 2 wrong usage or a task that is not valid`,
  changes: `anode changes RUN [--json] [--cwd DIR]

Prints the changes of each call of RUN by file: kind, hashes before and after, risk, validation, diff.

  --json             the same as JSON
  --cwd DIR          the checkout (default: this folder)

Exit code: 0, 2 wrong usage`,
  commit: `anode commit RUN [--message TEXT] [--force] [--cwd DIR]

Commits only the files that RUN changed, with your git, its hooks and your name.
The message names the run (Anode-Run). Nothing is committed if a file changed after the run.

  --message TEXT     the message (default: one line about the run, in the style of the last commits)
  --force            commits the files as they are now, even if they changed after the run
  --cwd DIR          the checkout (default: this folder)

Exit code: 0 committed, 1 nothing committed, 2 wrong usage; git's own if git refuses`,
  verify: `anode verify FILE|COMMIT [--key FILE] [--json] [--cwd DIR]
       anode verify FILE|COMMIT [--identity WORKFLOW] [--issuer URL] [--repository URL] [--trusted-root FILE]

Checks an attestation: a signed statement about how a run made a commit. FILE is a signed envelope (DSSE)
or a Sigstore bundle. COMMIT is a commit of the checkout. Its attestation is its note in refs/notes/anode.
Needs no network.

  --key FILE         the public keys to believe, Ed25519 as PEM (default: that of ANODE_SIGNING_KEY)
  --identity WORKFLOW  the workflow to believe where no key signed, with its ref; * stands for any text
                     without @ (default: any workflow of a branch of the repository)
  --issuer URL       who vouches for the workflow (default: GitHub Actions)
  --repository URL   the repository whose jobs may sign (default: the remote \`origin\` of the checkout)
  --trusted-root FILE  Sigstore's trusted root as JSON (default: ANODE_TRUSTED_ROOT, else the public one)
  --json             {statement, signer, problems} as JSON
  --cwd DIR          the checkout (default: this folder)

Exit code: 0 valid, 1 invalid or missing, 2 wrong usage`,
  restore: `anode restore RUN [PATH] [--cwd DIR] [--dry-run] [--force]

Restores the files that RUN changed: all of them, or PATH (a file or a folder).
A file that was changed again after the run is left, and named with the reason.

  --cwd DIR          the checkout (default: this folder)
  --dry-run          prints what would be restored
  --force            also restores files that changed after the run

Exit code: 0 all restored, 1 something was left, 2 wrong usage`,
  report: `anode report RUN [--cwd DIR] [--output FILE]

Writes RUN as one HTML page: request and answer, every turn and call with its output, diffs, tokens and cost,
findings, and refused calls. The page loads nothing and runs no script.

  --cwd DIR          the checkout (default: this folder)
  --output FILE      the file to write, - for standard output (default: report.html beside the run's record)

Exit code: 0 with the path of the page, 2 wrong usage`,
  serve: `anode serve

Starts the App's server. Required environment: APP_ID, PRIVATE_KEY or PRIVATE_KEY_PATH, WEBHOOK_SECRET, and the
key of a model. Optional: PORT (3000), HOST, DATABASE_URL, ANODE_DATA_DIR, LOG_LEVEL.`,
  stats: `anode stats [--by KEY,…] [--days N] [--json]

Prints cost and results of the runs of the App and of anode event. A commit is accepted if its pull request was
merged with it and did not revert it later. A review is accepted if a finding of it was fixed.
Stop the App first if its database is in the data folder.

  --by KEY,…         repository, model, profile, verb (default: repository,model,profile)
  --days N           only runs of the last N days (default: all that are stored, at most 400 days)
  --json             one JSON object for each group, in a list

Uses ANODE_DATA_DIR and DATABASE_URL as anode serve does.

Exit code: 0, 2 wrong usage`,
  forget: `anode forget REPO
anode forget --all-of INSTALLATION

Deletes the state of a repository: sessions, past runs, findings, mirrors, records, results of set-ups and
deliveries. REPO is owner/name, as the App saw it last, or its id. Active runs of it publish nothing.
Stop the App first if its database is in the data folder. With DATABASE_URL it may keep running.

  --all-of ID        every repository of an installation

Uses ANODE_DATA_DIR and DATABASE_URL as anode serve does.

Exit code: 0 with the number of deleted items, 2 wrong usage or an unknown repository`,
  init: `anode init [--use NAME,…] [options]
anode init --from FILE [options]

Writes workflows to .github/workflows, and .github/anode.yml unless there is a configuration. Then it prints the
next steps. On a terminal it asks for missing options. It replaces no file without --force.
--from translates a workflow of claude-code-action, codex-action or run-gemini-cli into a file beside it, and
lists what has no counterpart.

  --from FILE        the workflow to translate
  --use NAME,…       review (each pull request), comments (tasks), issues (to pull requests), failed-build (repair),
                     forks (review), checks (without a model), nightly (report on issues), upkeep (a task
                     to a pull request), dependencies (update), release-notes, monorepo (review of one package), ghes (comments), two-jobs (comments),
                     keyless (comments, with signed commits), local-model (comments)
  --provider P       whose model (default: anthropic)
  --model P/NAME     provider and model (default: the provider's)
  --action NAME      owner and name of your release of the Action (default: OWNER/anode-ci, to be replaced)
  --ref REF          its tag or full commit (default: v1)
  --app-token        commits with the token of a GitHub App, so that they start your other workflows
  --dry-run          prints the files and writes nothing
  --force            replaces existing files
  --cwd DIR          the clone (default: this folder)

Exit code: 0 done, 2 wrong usage, or a file exists with another text`,
  doctor: `anode doctor [--config FILE] [--output text|json]
anode doctor --workflow FILE [--output text|json]

Checks Node, git, the sandbox, model keys, the external tools of this checkout (toolbox, servers, plug-ins),
and the App's credentials. Each problem has one line with its remedy.

--workflow checks a workflow that uses Anode CI instead: permissions, events, secrets, inputs, pinned actions.
Each mistake has its line, its consequence and the lines to write.

  --config FILE      a configuration file over ~/.config/anode/config.json
  --workflow FILE    the workflow, such as .github/workflows/anode.yml
  --output FORMAT    text (default), json: the same as a list

Exit code: 0 if a local run, or the workflow, would work; 1 if not, or if the workflow is unsafe`,
};

/**
 * Calls an exec credential plug-in within our own deadline. Every failure of a plug-in is one error that
 * names the command, shows the end of its error output and says what to do.
 */
import { type Clock, type Environment, fieldOf } from '@tandem/runtime';
import { checkPair, type Pem } from './check-pem.ts';
import { CredentialsError } from './credentials.ts';
import { type ExecCredential, parseExecCredential } from './exec-credential.ts';
import type { ExecSettings } from './exec-settings.ts';
import { type CommandOutcome, runCommand } from './run-command.ts';
import { reasonOf } from './settings.ts';

export interface ExecPluginOptions {
  readonly settings: ExecSettings;
  readonly environment: Environment;
  readonly clock: Clock;
}

export async function askExecPlugin(options: ExecPluginOptions): Promise<ExecCredential> {
  const { settings, environment, clock } = options;
  const outcome = await runCommand({
    file: settings.command,
    args: settings.args,
    environment: { ...environment, ...settings.env, KUBERNETES_EXEC_INFO: execInfo(settings) },
    clock,
    limitMs,
  });
  if (outcome.kind !== 'succeeded') throw failure(settings, explain(outcome, settings));
  const parsed = parseExecCredential(outcome.output, settings.apiVersion);
  if (parsed.kind === 'nonsense') {
    throw failure(settings, {
      problem: `returned an invalid answer: ${parsed.problem}.`,
      fix: 'Run it by hand and compare its output with the documentation of exec plugins.',
    });
  }
  checkPair(
    pem(settings, 'certificate', parsed.credential.cert),
    pem(settings, 'key', parsed.credential.key),
  );
  return parsed.credential;
}

function pem({ command }: ExecSettings, what: string, text: string | undefined): Pem | undefined {
  return text === undefined
    ? undefined
    : { text, name: `The ${what} of the exec plugin ${command}` };
}

/** How long an answer stays fresh: a new one is fetched some time before it expires. */
export function freshMsOf(credential: ExecCredential, clock: Clock): number {
  // A plug-in whose answers are about to expire must not run for every request.
  return Math.max(goodMsOf(credential, clock) - renewBeforeMs, rerunMsMin);
}

/** How long an answer may be used; forever if it has no expiry. */
export function goodMsOf({ expiresAtMs }: ExecCredential, clock: Clock): number {
  return expiresAtMs === undefined ? Number.POSITIVE_INFINITY : expiresAtMs - clock.now();
}

/** Time for a run that hangs until its limit, the following pause, and another run. */
const renewBeforeMs = 60_000;

const rerunMsMin = 10_000;

/** For one run. Plug-ins of clouds take up to a few seconds. */
const limitMs = 30_000;

interface Failure {
  readonly problem: string;
  readonly fix: string;
  readonly cause?: unknown;
}

function explain(
  outcome: Exclude<CommandOutcome, { kind: 'succeeded' }>,
  { installHint }: ExecSettings,
): Failure {
  switch (outcome.kind) {
    case 'not started':
      return {
        problem: `could not be started (${reasonOf(outcome.err)}).`,
        fix: installHint ?? 'Install it, or give its full path.',
        cause: outcome.err,
      };
    case 'timed out':
      return {
        problem: `did not answer within ${limitMs / 1_000} s and was killed.${quote(outcome.errorTail)}`,
        fix: 'Run it by hand. It may be waiting for input or for a server.',
      };
    case 'too much output':
      return { problem: 'printed too much output.', fix: 'Run it by hand and check its output.' };
    case 'failed':
      return {
        problem: `${outcome.how}.${quote(outcome.errorTail)}`,
        fix: 'Run it by hand and fix what it reports.',
      };
  }
}

function quote(errorTail: string): string {
  return errorTail === '' ? '' : ` It printed: "${errorTail}".`;
}

function failure(
  { command, where }: ExecSettings,
  { problem, fix, cause }: Failure,
): CredentialsError {
  return new CredentialsError('ExecPluginFailed', {
    problem: `The exec plugin ${command} (${where}) ${problem}`,
    fix,
    cause,
  });
}

/**
 * The input of a plug-in: the API version of the answer, `interactive: false`, and the cluster if
 * requested.
 */
function execInfo({ apiVersion, cluster }: ExecSettings): string {
  const spec = {
    interactive: false,
    ...(cluster === undefined ? {} : { cluster: clusterInfo(cluster) }),
  };
  return JSON.stringify({ kind: 'ExecCredential', apiVersion, spec });
}

const execExtension = 'client.authentication.k8s.io/exec';

function clusterInfo(cluster: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const names = [
    'server',
    'tls-server-name',
    'insecure-skip-tls-verify',
    'certificate-authority-data',
  ];
  const known = names.filter((name) => cluster[name] !== undefined);
  const config = findExtension(cluster['extensions']);
  return {
    ...Object.fromEntries(known.map((name) => [name, cluster[name]])),
    ...(config === undefined ? {} : { config }),
  };
}

function findExtension(extensions: unknown): unknown {
  if (!Array.isArray(extensions)) return undefined;
  const entries: readonly unknown[] = extensions;
  return fieldOf(
    entries.find((entry) => fieldOf(entry, 'name') === execExtension),
    'extension',
  );
}

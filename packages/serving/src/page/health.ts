/**
 * The health pages, with the same text as the API server's, so that the same clients can read both. Reasons appear only in
 * the log and on the page of a single check, which requires rights.
 */
import { type Reply, textReply } from '../http/reply.ts';
import type { HealthCheck, HealthOutcome } from '../pages.ts';

/** Runs a check. A check that throws fails, and the page does not. */
export function outcomeOf(check: HealthCheck): HealthOutcome {
  try {
    return check.check();
  } catch {
    return { ok: false, reason: 'the check itself failed' };
  }
}

interface HealthQuestion {
  /** The name of the page for its last line, such as `livez`. */
  readonly page: string;
  readonly checks: readonly HealthCheck[];
  readonly query: URLSearchParams;
  /** Called after every check. */
  readonly observe: (name: string, outcome: HealthOutcome) => void;
}

/** Runs all checks of a page. Those that the query excludes cannot fail it. */
export function healthReply({ page, checks, query, observe }: HealthQuestion): Reply {
  const excluded = new Set(query.getAll('exclude'));
  const lines: string[] = [];
  let isHealthy = true;
  for (const check of checks) {
    if (excluded.has(check.name)) {
      lines.push(`[+]${check.name} excluded: ok`);
      continue;
    }
    const outcome = outcomeOf(check);
    observe(check.name, outcome);
    isHealthy &&= outcome.ok;
    lines.push(lineOf(check.name, outcome));
  }
  const unknown = [...excluded].filter((name) => !checks.some((check) => check.name === name));
  if (unknown.length > 0) lines.push(unknownLine(unknown));
  if (!isHealthy) return textReply(500, text([...lines, `${page} check failed`]));
  return textReply(200, query.has('verbose') ? text([...lines, `${page} check passed`]) : 'ok');
}

/** Runs one check and shows its reason, for clients with rights. */
export function checkReply(check: HealthCheck, observe: HealthQuestion['observe']): Reply {
  const outcome = outcomeOf(check);
  observe(check.name, outcome);
  if (outcome.ok) return textReply(200, 'ok');
  return textReply(500, `internal server error: ${outcome.reason}\n`);
}

function lineOf(name: string, outcome: HealthOutcome): string {
  if (!outcome.ok) return `[-]${name} failed: reason withheld`;
  return outcome.warning === undefined
    ? `[+]${name} ok`
    : `[+]${name} ok (warning: ${outcome.warning})`;
}

function unknownLine(names: readonly string[]): string {
  const quoted = names.toSorted().map((name) => JSON.stringify(name));
  return `warn: some health checks cannot be excluded: no matches for ${quoted.join(',')}`;
}

function text(lines: readonly string[]): string {
  return `${lines.join('\n')}\n`;
}

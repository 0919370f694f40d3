/** What a person may say to `npm run check --`. Pure: arguments in, a request or an error out. */
import { parseArgs } from 'node:util';

type Request =
  | { readonly kind: 'help' }
  | { readonly kind: 'mistake'; readonly message: string }
  /** `root` is another tree than this repository; the check's own tests use it. */
  | { readonly kind: 'check'; readonly root: string | undefined };

export const usage: string = `Usage: npm run check

Checks types (tsc), format (oxfmt), lint (oxlint), structure (import direction, ports) and
promises (rules that are cited by number). All run, even when one fails; each failure says
what to do.

  --root DIR   check another tree
  --help       this text

Exit codes: 0 all is well, 1 a check failed, 2 the command line is wrong.`;

export function parseCommandLine(args: readonly string[]): Request {
  try {
    const { values } = parseArgs({
      args: [...args],
      options: { root: { type: 'string' }, help: { type: 'boolean', short: 'h' } },
    });
    return values.help === true ? { kind: 'help' } : { kind: 'check', root: values.root };
  } catch (err) {
    return { kind: 'mistake', message: err instanceof Error ? err.message : String(err) };
  }
}

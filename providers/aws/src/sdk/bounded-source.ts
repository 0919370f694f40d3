/**
 * Bounds the time that a call waits for credentials. A source may take longer than one call waits, so the next call waits
 * for the same attempt. A source that hangs is given up for another one, because the SDK asks no source again that it
 * still waits for.
 */
import { type Clock, withDeadline } from '@tandem/runtime';
import { EC2Refusal, refusalOf } from './refusal.ts';

/** Shorter than the deadline of the call that waits for them (`ec2.ts`), so that it can say what is missing. */
export const waitMsMax = 8_000;

/** No call joins an attempt that is older, so that an attempt has two or three waits to succeed in. */
export const joinableMsMax = 15_000;

interface Attempt<Credentials> {
  readonly outcome: Promise<Credentials>;
  readonly begunAtMs: number;
  hasSucceeded: boolean;
}

/** Says of each failure that it is one of the credentials, whose sources have codes of their own and of the network. */
export function boundedSource<Properties, Credentials>(
  create: () => (properties: Properties) => Promise<Credentials>,
  clock: Clock,
): (properties: Properties) => Promise<Credentials> {
  let source = create();
  /** Until a call has used its credentials. */
  let current: Attempt<Credentials> | undefined;
  const giveUp = (attempt: Attempt<Credentials>): void => {
    if (attempt !== current) return;
    current = undefined;
    source = create();
  };
  const begin = (properties: Properties): Attempt<Credentials> => {
    const outcome = source(properties);
    const attempt = { outcome, begunAtMs: clock.monotonic(), hasSucceeded: false };
    outcome.then(
      () => (attempt.hasSucceeded = true),
      () => giveUp(attempt),
    );
    return attempt;
  };
  const mayHang = ({ hasSucceeded, begunAtMs }: Attempt<Credentials>): boolean =>
    !hasSucceeded && clock.monotonic() - begunAtMs > joinableMsMax;
  return async (properties) => {
    try {
      if (current !== undefined && mayHang(current)) giveUp(current);
      const joined = (current ??= begin(properties));
      const credentials = await withDeadline({ clock, limitMs: waitMsMax }, () => joined.outcome);
      if (current === joined) current = undefined;
      return credentials;
    } catch (err) {
      const { ec2Code, message, httpStatus } = refusalOf(err);
      // V8 quotes the text around the mistake, which may be a secret.
      const why = err instanceof SyntaxError ? 'their source gave no valid JSON' : message;
      throw new EC2Refusal({ ec2Code, message: `no credentials: ${why}`, httpStatus });
    }
  };
}

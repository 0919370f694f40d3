/** When deletions stop: `5,20%,10m`, or `off`. */
import type { BrakeSettings } from '@tandem/core/lifecycle';
import { parseDuration } from '@tandem/cli/duration';
import { invalid, type Parsed, single, value, type ValueType } from '@tandem/cli/flags';

export const brake: ValueType<BrakeSettings | undefined> = single(
  'nodes,percent[,window]|off',
  parseBrake,
);

const form = 'write NODES,PERCENT% or NODES,PERCENT%,WINDOW, such as 5,20%,10m, or off';
const windowMsDefault = 600_000;

function parseBrake(text: string): Parsed<BrakeSettings | undefined> {
  if (text === 'off') return value(undefined);
  const [, nodes, percent, window] =
    /^(\d{1,9}),(\d{1,3}(?:\.\d{1,3})?)%(?:,(.+))?$/s.exec(text) ?? [];
  if (nodes === undefined || percent === undefined)
    return invalid(`is not a deletion brake: ${form}`);
  if (Number(percent) > 100) return invalid('has a share of more than 100%');
  const parsed = window === undefined ? value(windowMsDefault) : parseDuration(window);
  if (parsed.kind === 'invalid') return invalid(`has a window that ${parsed.reason}`);
  if (parsed.value < 1000) return invalid('has a window shorter than 1s');
  return value({ nodes: Number(nodes), share: Number(percent) / 100, windowMs: parsed.value });
}

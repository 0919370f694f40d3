/**
 * Log lines for people, in the shape that other components of Kubernetes have: how serious, when, what,
 * then the facts. One event is one line whatever its values hold: they are quoted, so that nobody's text
 * can pass for a line of its own. Made of the JSON lines of the logger, after secrets were taken out.
 */
import { errorChain } from './error-chain.ts';
import { isObject, type JsonObject } from './json-object.ts';

/** Anything with `write`, as the logger wants it. */
export interface LineDestination {
  write(line: string): unknown;
}

/** A destination for JSON lines that passes them on as text. */
export function textDestination(destination: LineDestination): { write(line: string): void } {
  return { write: (line) => void destination.write(formatLine(line)) };
}

export function formatLine(json: string): string {
  const record = parseObject(json);
  if (record === undefined) return json.endsWith('\n') ? json : `${json}\n`;
  const { level, ts, msg, ...fields } = record;
  const severity = severities.get(String(level)) ?? { letter: 'I' };
  const facts = Object.entries({ ...fields, ...severity.facts });
  const words = [
    `${severity.letter}${formatTime(String(ts))}`,
    oneLine(typeof msg === 'string' ? msg : ''),
    ...facts.map(([name, value]) => `${formatName(name)}=${formatValue(value)}`),
  ];
  return `${words.join(' ')}\n`;
}

/** There is no letter for what is only told with -v, so these lines say from which number on. */
const severities: ReadonlyMap<string, { letter: string; facts?: JsonObject }> = new Map([
  ['error', { letter: 'E' }],
  ['warn', { letter: 'W' }],
  ['info', { letter: 'I' }],
  ['debug', { letter: 'I', facts: { v: 4 } }],
  ['trace', { letter: 'I', facts: { v: 6 } }],
]);

/** `2026-11-16T10:54:51.123Z` is `1116 10:54:51.123000`, in UTC. */
function formatTime(ts: string): string {
  const [, month, day, time] = /^\d{4}-(\d\d)-(\d\d)T([\d:]+\.\d{3})Z$/.exec(ts) ?? [];
  return time === undefined ? ` ${oneLine(ts)}` : `${month}${day} ${time}000`;
}

function formatName(name: string): string {
  return /^[\w.-]+$/.test(name) ? name : quoted(name);
}

function formatValue(value: unknown): string {
  if (typeof value === 'string') return quoted(value);
  const chain = isObject(value) ? errorChain(value) : undefined;
  if (chain !== undefined) return quoted(chain);
  const text = JSON.stringify(value);
  return /^[-\w.]+$/.test(text) ? text : quoted(text);
}

function quoted(text: string): string {
  return isPlain(text) ? `"${text}"` : escapeControls(JSON.stringify(text));
}

/** Whether it needs no escapes, as nearly all texts: printable ASCII but `"` and `\`. */
function isPlain(text: string): boolean {
  return /^[ !#-[\]-~]*$/.test(text);
}

function oneLine(text: string): string {
  if (isPlain(text)) return text;
  return escapeControls(
    JSON.stringify(text)
      .slice(1, -1)
      .replaceAll(String.raw`\"`, '"'),
  );
}

/** JSON leaves some characters that end a line or steer a terminal as they are. */
function escapeControls(text: string): string {
  return text.replaceAll(
    /[\u007f-\u009f\u2028\u2029]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

function parseObject(json: string): JsonObject | undefined {
  try {
    const parsed: unknown = JSON.parse(json);
    return isObject(parsed) ? parsed : undefined;
  } catch {
    return undefined;
  }
}

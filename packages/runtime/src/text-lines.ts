/**
 * Log lines in klog's format, which other components of Kubernetes use, so that the same tools read them: severity, time,
 * process, source, message, then the fields. Each entry is one line: values are quoted, so that no value can look like a
 * line. The logger has already removed secrets.
 */
import { errorChain } from './error-chain.ts';
import { isRecord } from './record.ts';

/** A destination of a logger that writes its lines as text. `pid` is the process that the lines name, as klog's do. */
export function textLines(
  destination: { write(line: string): unknown },
  pid: number,
): { write(line: string): void } {
  return { write: (line) => void destination.write(formatLine(line, pid)) };
}

/**
 * Formats a line of JSON as the logger writes it. Other text passes unchanged. Without `pid`, the line has neither
 * process nor source.
 */
export function formatLine(json: string, pid?: number): string {
  const record = parseObject(json);
  if (record === undefined) return json.endsWith('\n') ? json : `${json}\n`;
  const { level, ts, msg, ...facts } = record;
  const { letter, own } = severities.get(String(level)) ?? { letter: 'I' };
  const from = pid === undefined ? '' : `${formatPid(pid)} ${sourceOf(facts)}:0] `;
  const message = quoted(typeof msg === 'string' ? msg : '');
  let line = `${letter}${formatTime(String(ts))} ${from}${message}`;
  for (const [name, value] of Object.entries({ ...facts, ...own })) {
    if (value !== undefined) line += ` ${formatName(name)}=${formatValue(value)}`;
  }
  return `${line}\n`;
}

/** klog has no letter for lines that need `-v`, so each of these names the verbosity that enables it: `v=4`. */
const severities: ReadonlyMap<string, { letter: string; own?: Readonly<Record<string, unknown>> }> =
  new Map([
    ['error', { letter: 'E' }],
    ['warn', { letter: 'W' }],
    ['info', { letter: 'I' }],
    ['debug', { letter: 'I', own: { v: 4 } }],
    ['trace', { letter: 'I', own: { v: 6 } }],
  ]);

/** `2026-11-16T10:54:51.123Z` is `1116 10:54:51.123000`, in UTC. */
function formatTime(ts: string): string {
  const [, month, day, time] = /^\d{4}-(\d\d)-(\d\d)T([\d:]+\.\d{3})Z$/.exec(ts) ?? [];
  return time === undefined ? '0000 00:00:00.000000' : `${month}${day} ${time}000`;
}

/** Pads to klog's width, so that columns align. */
function formatPid(pid: number): string {
  return String(pid).padStart(7, ' ');
}

/** The controller or component that logged the line. klog has a file and a line number here. */
function sourceOf({ controller, component }: Readonly<Record<string, unknown>>): string {
  const name = controller ?? component;
  return typeof name === 'string' && isWord(name) ? name : 'manager';
}

function formatName(name: string): string {
  return isWord(name) ? name : quoted(name);
}

function isWord(text: string): boolean {
  return /^[\w.-]+$/.test(text);
}

function formatValue(value: unknown): string {
  if (typeof value === 'string') return quoted(value);
  const chain = isRecord(value) ? errorChain(value) : undefined;
  if (chain !== undefined) return quoted(chain);
  const text = JSON.stringify(value);
  return /^[-\w.]+$/.test(text) ? text : quoted(text);
}

function quoted(text: string): string {
  return isPlain(text) ? `"${text}"` : escapeControls(JSON.stringify(text));
}

/** Whether a text needs no escapes, as nearly all: printable ASCII except `"` and `\`. */
function isPlain(text: string): boolean {
  return /^[ !#-[\]-~]*$/.test(text);
}

/** JSON does not escape some characters that end a line or control a terminal. */
function escapeControls(text: string): string {
  return text.replaceAll(
    /[\u007f-\u009f\u2028\u2029]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

function parseObject(json: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const parsed: unknown = JSON.parse(json);
    return isRecord(parsed) ? parsed : undefined;
  } catch {
    return undefined;
  }
}

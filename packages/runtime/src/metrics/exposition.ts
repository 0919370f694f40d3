/** The text format of Prometheus, version 0.0.4, as far as counters, gauges and histograms need it. */
import type { LabelPairs } from './series.ts';

export interface Sample {
  readonly name: string;
  readonly labels: LabelPairs;
  readonly value: number;
}

export function headOf(metric: {
  readonly name: string;
  readonly help: string;
  readonly type: string;
}): string {
  const { name, help, type } = metric;
  return `# HELP ${name} ${escapeText(help)}\n# TYPE ${name} ${type}\n`;
}

export function sampleLine({ name, labels, value }: Sample): string {
  const pairs = labels.map(([label, text]) => `${label}="${escapeValue(text)}"`);
  return `${name}${pairs.length === 0 ? '' : `{${pairs.join(',')}}`} ${numberText(value)}\n`;
}

function escapeText(text: string): string {
  return text.replaceAll('\\', '\\\\').replaceAll('\n', '\\n');
}

function escapeValue(text: string): string {
  return escapeText(text).replaceAll('"', '\\"');
}

function numberText(value: number): string {
  if (Number.isFinite(value)) return String(value);
  return Number.isNaN(value) ? 'NaN' : value > 0 ? '+Inf' : '-Inf';
}

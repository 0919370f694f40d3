/** What a bench measured beside what it aims at, and how both are printed. */
import type { Clock, Random } from '@tandem/runtime';

export type Bench = (ports: BenchPorts) => Promise<Report>;

export interface BenchPorts {
  readonly clock: Clock;
  readonly random: Random;
  /** Tells a person what is going on; never part of the result. */
  readonly say: (line: string) => void;
}

export interface Report {
  readonly name: string;
  readonly figures: Readonly<Record<string, number>>;
  readonly targets: Readonly<Record<string, Target>>;
}

export type Target = { readonly atLeast: number } | { readonly atMost: number };

export function printTable(report: Report): string {
  const rows = Object.entries(report.figures).map(([name, figure]) => {
    const target = report.targets[name];
    return [
      name,
      format(figure),
      target === undefined ? '' : describe(target),
      verdict(figure, target),
    ];
  });
  const table = [[report.name, 'measured', 'target', ''], ...rows];
  const widths =
    table[0]?.map((_, column) => Math.max(...table.map((row) => row[column]?.length ?? 0))) ?? [];
  const line = (row: string[]): string =>
    row
      .map((cell, column) =>
        column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0),
      )
      .join('  ')
      .trimEnd();
  return `${table.map(line).join('\n')}\n`;
}

export function printJson(report: Report): string {
  return `${JSON.stringify({ ...report, met: isMet(report) })}\n`;
}

function isMet({ figures, targets }: Report): boolean {
  return Object.entries(targets).every(([name, target]) =>
    meets(figures[name] ?? Number.NaN, target),
  );
}

function meets(figure: number, target: Target): boolean {
  return 'atLeast' in target ? figure >= target.atLeast : figure <= target.atMost;
}

function verdict(figure: number, target: Target | undefined): string {
  if (target === undefined) return '';
  return meets(figure, target) ? 'met' : 'missed';
}

function describe(target: Target): string {
  return 'atLeast' in target ? `>= ${format(target.atLeast)}` : `<= ${format(target.atMost)}`;
}

function format(figure: number): string {
  return figure.toLocaleString('en-GB', { maximumFractionDigits: figure < 100 ? 2 : 0 });
}

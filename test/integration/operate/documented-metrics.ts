/**
 * The metrics of `docs/reference/metrics.md` as a scrape with a sample of each. The metrics of a real run depend on
 * what happened in it, but the rules of Prometheus apply to all of them.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

interface DocumentedMetric {
  readonly name: string;
  readonly type: string;
  readonly labels: readonly string[];
  readonly help: string;
}

export function documentedMetrics(): DocumentedMetric[] {
  const file = join(import.meta.dirname, '..', '..', '..', 'docs', 'reference', 'metrics.md');
  const sections = readFileSync(file, 'utf8').split(/^### /m).slice(1);
  return sections.map((section) => {
    const [name = '', facts = '', help = ''] = section.split(/\n\n?/);
    const [, labels = ''] = /labels? ([^–]*)/.exec(facts) ?? [];
    return {
      name,
      help,
      type: /^\w+/.exec(facts)?.[0] ?? '',
      labels: [...labels.matchAll(/`(\w+)`/g)].map(([, label = '']) => label),
    };
  });
}

/** In the text format of Prometheus. */
export function scrapeOf(metrics: readonly DocumentedMetric[]): string {
  return metrics.map(familyOf).join('');
}

function familyOf({ name, type, labels, help }: DocumentedMetric): string {
  const pairs = labels.map((label) => `${label}="x"`);
  const head = `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n`;
  if (type !== 'histogram') return `${head}${name}{${pairs.join(',')}} 1\n`;
  const bucket = `${name}_bucket{${[...pairs, 'le="+Inf"'].join(',')}} 1\n`;
  const all = `{${pairs.join(',')}}`;
  return `${head}${bucket}${name}_sum${all} 1\n${name}_count${all} 1\n`;
}

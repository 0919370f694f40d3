/** The dashboard as Grafana reads it. */
import { type Panel, rows } from './dashboard.ts';

export function renderDashboard(): string {
  return `${JSON.stringify(dashboard(), undefined, 2)}\n`;
}

function dashboard(): object {
  return {
    uid: 'tandem',
    title: 'Tandem cloud-controller-manager',
    description: 'Made by `npm run docs` from tools/observability/dashboard.ts.',
    tags: ['kubernetes', 'cloud-controller-manager', 'tandem'],
    schemaVersion: 39,
    editable: true,
    refresh: '30s',
    time: { from: 'now-3h', to: 'now' },
    templating: { list: [{ name: 'datasource', type: 'datasource', query: 'prometheus' }] },
    panels: placed(),
  };
}

/** Grafana has a grid of 24 columns. */
const columns = 24;
const heights = { row: 1, stat: 4, timeseries: 8 } as const;

/** Rows from top to bottom, with their panels from left to right. */
function placed(): object[] {
  const panels: object[] = [];
  let y = 0;
  for (const { title, panels: members } of rows) {
    const place = { x: 0, y, w: columns, h: heights.row };
    panels.push({
      id: panels.length + 1,
      type: 'row',
      title,
      collapsed: false,
      gridPos: place,
      panels: [],
    });
    y += heights.row;
    const perLine = members.length % 4 === 0 ? 4 : 3;
    for (const [index, panel] of members.entries()) {
      const h = heights[panel.kind];
      const column = index % perLine;
      const w = columns / perLine;
      panels.push({
        id: panels.length + 1,
        ...panelOf(panel),
        gridPos: { x: column * w, y, w, h },
      });
      if (column === perLine - 1 || index === members.length - 1) y += h;
    }
  }
  return panels;
}

const datasource = { type: 'prometheus', uid: '${datasource}' };

function panelOf({ title, about, kind, unit, queries }: Panel): object {
  return {
    type: kind,
    title,
    description: about,
    datasource,
    fieldConfig: { defaults: { unit, min: 0 }, overrides: [] },
    targets: Object.entries(queries).map(([legend, expr], index) => ({
      refId: String.fromCodePoint(codeOfA + index),
      datasource,
      expr,
      legendFormat: legend,
    })),
  };
}

const codeOfA = 65;

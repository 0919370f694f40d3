/** The files of observability that `npm run docs` writes: for everybody, and as the chart has them. */
import { renderRules, renderRunbook } from './alert-files.ts';
import { renderDashboard } from './dashboard-file.ts';

export const observabilityFiles: readonly {
  readonly path: string;
  readonly render: () => string;
}[] = [
  { path: 'docs/guides/alerts.md', render: renderRunbook },
  { path: 'manifests/alerts/tandem.yaml', render: renderRules },
  { path: 'manifests/dashboards/tandem.json', render: renderDashboard },
  // helm reads no file outside of the chart.
  { path: 'manifests/chart/files/alerts.yaml', render: renderRules },
  { path: 'manifests/chart/files/dashboard.json', render: renderDashboard },
];

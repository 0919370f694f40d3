/** The files of `manifests/chart` that `npm run docs` writes. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { controllers } from '@tandem/manager/controllers';
import { renderRbac } from './rbac-template.ts';
import { renderReadme } from './readme.ts';
import type { PushedImage } from './values/values.ts';
import { renderSchema, renderValues } from './values/values-files.ts';

/** The memory settings. The chart has a copy, because helm reads no file outside of the chart. */
const memoryFile = join(import.meta.dirname, '../../packages/manager/memory.env');

interface ChartFile {
  readonly path: string;
  /** With an image, as the chart of its release has the file. */
  readonly render: (pushed?: PushedImage) => string;
}

export const chartFiles: readonly ChartFile[] = [
  { path: 'manifests/chart/README.md', render: renderReadme },
  { path: 'manifests/chart/values.yaml', render: renderValues },
  { path: 'manifests/chart/values.schema.json', render: renderSchema },
  { path: 'manifests/chart/templates/rbac.yaml', render: () => renderRbac(controllers) },
  { path: 'manifests/chart/files/memory.env', render: () => readFileSync(memoryFile, 'utf8') },
];

/** The lists below `/statusz/`, in which controllers show their work as data. */
import {
  viewAPIVersion,
  viewFilters,
  viewKinds,
  type ViewName,
  viewNames,
  viewStates,
} from '@tandem/core/view';
import type { ListAnswer, ListPage } from '@tandem/serving';
import type { App } from './app/index.ts';

type Shown = Pick<App, 'view' | 'leaderText'>;

export function viewPages(app: Shown): ReadonlyMap<string, ListPage> {
  return new Map(viewNames.map((name) => [name, pageOf(app, name)]));
}

function pageOf(app: Shown, name: ViewName): ListPage {
  return {
    apiVersion: viewAPIVersion,
    kind: viewKinds[name],
    filters: viewFilters[name],
    filterValues: { state: viewStates[name] },
    read: () => answerOf(app, name),
  };
}

/** Returns an error if the manager does not lead, because an empty list would be an answer (P3). */
function answerOf(app: Shown, name: ViewName): ListAnswer {
  const view = app.view(name);
  switch (view) {
    case 'absent':
      return {
        kind: 'absent',
        message: `No controller of this manager shows ${name}: ${off[name]}`,
      };
    case 'pending':
      return {
        kind: 'unavailable',
        message: `The controller that shows ${name} has not begun yet`,
      };
    case 'standby':
      return {
        kind: 'unavailable',
        message: `This manager does not lead and knows nothing of ${name}. The leader is ${app.leaderText()}`,
      };
    default:
      return { kind: 'list', ...view };
  }
}

const off: Readonly<Record<ViewName, string>> = {
  nodes: 'cloud-node-controller does not run',
  pools: 'it gives nodes no pod CIDRs',
  routes: 'it manages no routes',
};

/** The example as the manager knows it: all that it takes beside the controller and a line in the list. */
import { type DefaultedFlag, int } from '@tandem/cli/flags';
import {
  type ControllerDeclaration,
  declareController,
  eventNotes,
  type Grant,
} from '@tandem/manager/controllers';
import { stackLabelsTotal, StackLabelController } from './controller.ts';

const concurrentStackLabels: DefaultedFlag<number> = {
  name: 'concurrent-stack-labels',
  type: int({ min: 1, max: 64 }),
  byDefault: '4',
  help: 'Number of nodes labelled in parallel.',
};

const name = 'stack-label-controller';

const grants: readonly Grant[] = [
  {
    part: name,
    purpose: 'the label',
    scope: 'cluster',
    group: '',
    resource: 'nodes',
    verbs: { patch: 'Nodes get no stack label' },
  },
  {
    part: name,
    purpose: 'a node that changed during a write',
    scope: 'cluster',
    group: '',
    resource: 'nodes',
    verbs: { get: 'Nodes that change during a write get no stack label' },
  },
];

const labelling = { action: 'LabelNode' } as const;

export const stackLabel: ControllerDeclaration = declareController<{ readonly workers: number }>({
  name,
  alias: 'stack-label',
  serviceAccount: 'stack-label-controller',
  flags: [{ title: 'Stack label controller', flags: [concurrentStackLabels] }],
  read: (flags) => ({ workers: flags.of(concurrentStackLabels) }),
  show: ({ workers }) => ({ upstream: {}, own: { stackLabels: { workers } } }),
  grants,
  needs: (_, mode) => (mode === 'write' ? grants : []),
  metrics: [stackLabelsTotal],
  events: eventNotes({
    StackLabelled: {
      ...labelling,
      type: 'Normal',
      meaning: 'The node has a new stack label.',
      remedy: 'Nothing.',
    },
    StackLabelRefused: {
      ...labelling,
      type: 'Warning',
      meaning: 'The API server refused the label.',
      remedy: 'Read the event: it has the reason of the API server.',
    },
  }),
  create: ({ workers }, parts) => new StackLabelController({ ...parts, workers }),
});

/** `docs/reference/events.md`: every event on nodes, when it is sent and what to do about it. */
import type { EventNote } from '@tandem/manager/controllers';
import { type EventGroup, eventGroups } from './event-groups.ts';

export function renderEvents(): string {
  return `# The events

<!-- Made by \`npm run docs\` from the declarations of the events in packages/controllers and the refusals in packages/core. -->

All of them are about a Node and lie in the namespace \`default\`, as those of all objects without a namespace
do. \`kubectl describe node NAME\` shows them, or \`kubectl get events -A --field-selector involvedObject.name=NAME\`.
They are written as core/v1, with the fields of both generations, and read under core/v1 and \`events.k8s.io/v1\` alike
([why](../decisions/0013-core-events.md)).

\`kubectl describe\` and \`kubectl events --for node/NAME\` show them among those of kubelet and others, in the order in
which they were last seen. \`kubectl get events\` shows them in the order in which they began, because their names are
the node's and the time, as client-go has them; \`--sort-by=.lastTimestamp\` sorts by when they were last seen. Where the
rights are for \`events.k8s.io\` only, events are written under that group. It takes no \`lastTimestamp\`, and
\`kubectl describe\` then lists them before all others.

Reasons never change their meaning; alerts should go by reason and type. An event says once what changed.
A refusal and a held deletion stand: their event is counted on every thirty minutes, because the API server
forgets events after an hour, and no more once it is over. About one node at most 25 events are written at
once and one more every five minutes. What stands now is told even beyond that, at the latest after a minute. A manager that is restarted or takes over begins
events of its own. A dry run sends none.

An event is sent after the write that it is about. A manager that is killed in between leaves a node that is
initialised but has no event \`Synced\`. The Node itself is complete.

${eventGroups.map(renderGroup).join('\n')}`;
}

function renderGroup({ controller, events }: EventGroup): string {
  return `## Of ${controller}\n\n${events.map(renderEvent).join('\n')}`;
}

function renderEvent({ reason, type, actions, meaning, warnsWhen, remedy }: EventNote): string {
  const types = warnsWhen === undefined ? type : `${type}, Warning where ${warnsWhen}`;
  const facts = `${types}; action ${actions.map((action) => `\`${action}\``).join(' or ')}`;
  return `### ${reason}\n\n${facts}\n\n${meaning}\n\n**What to do:** ${remedy}\n`;
}

/** `docs/reference/events.md`: every event on nodes, when it is sent and what to do about it. */
import type { EventNote } from '@tandem/manager/controllers';
import { type EventGroup, eventGroups } from './event-groups.ts';

export function renderEvents(): string {
  return `# The events

<!-- Made by \`npm run docs\` from the declarations of the events in packages/controllers and the refusals in packages/core. -->

All of them are about a Node and lie in the namespace \`default\`, as those of all objects without a namespace
do. \`kubectl describe node NAME\` shows them, or \`kubectl get events -A --field-selector involvedObject.name=NAME\`.
They are \`events.k8s.io/v1\`, or core events where the rights are for those only.

Their names are the node's and the time, as client-go has them, so that \`kubectl describe\` and \`kubectl get events\`
show them in the order in which they began. \`kubectl describe\` sorts by \`lastTimestamp\`, which \`events.k8s.io/v1\`
does not let anybody set: there, they come before the core events of others, such as kubelet's.
\`kubectl events --for node/NAME\` sorts all of them by when they were last seen.

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

import type { FlowerEventBody } from '../events/event.ts';

type WithoutScope<Event> = Event extends unknown ? Omit<Event, 'step' | 'label'> : never;

/** An event of a run before it is told which step and row it belongs to. */
export type ScopedEvent = WithoutScope<Extract<FlowerEventBody, { label: string }>>;

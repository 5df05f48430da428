import type { ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

import type { Gates } from './gates.ts';
import type { ErrorReply, MessageReply, Reply, ReplyHold, StreamBreak } from './reply.ts';
import { whenAborted } from './when-aborted.ts';
import {
  toWireEvents,
  toWireMessage,
  type MessageDefaults,
  type WireEvent,
} from './wire-message.ts';

/** Where and how a reply is sent. */
export interface SendTarget {
  readonly response: ServerResponse;
  /** Server-sent events instead of one JSON object. */
  readonly stream: boolean;
  readonly defaults: MessageDefaults;
  readonly gates: Gates;
  /** Aborts when the client is gone or the API is closed. */
  readonly signal: AbortSignal;
  /** Called with the status before the headers go out. */
  readonly onStatus: (status: number) => void;
}

/** What is thrown inside when the signal aborts; the caller reads the signal's reason. */
export class SendAborted extends Error {}

/**
 * Sends one reply with its delays, holds and breaks.
 *
 * @returns `cut` when the reply was broken off on purpose.
 * @throws SendAborted when the signal aborts before the end.
 */
export async function sendReply(reply: Reply, target: SendTarget): Promise<'complete' | 'cut'> {
  await pause(reply.delayMs, target.signal);
  if (reply.hold !== undefined && !holdsInStream(reply, target)) {
    await waitAtGate(reply.hold, target);
  }
  if (reply.type === 'error') return sendError(reply, target);
  return target.stream ? sendStream(reply, target) : sendWhole(reply, target);
}

/** Ends a response with a JSON object. */
export function endWithJson(
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  response.end(JSON.stringify(body));
}

/** The error object of the Messages API. */
export function errorBody(type: string, message: string): unknown {
  return { type: 'error', error: { type, message } };
}

function sendError(reply: ErrorReply, { response, onStatus }: SendTarget): 'complete' {
  onStatus(reply.status);
  if (typeof reply.body === 'string') {
    response.writeHead(reply.status, { 'content-type': 'text/html', ...reply.headers });
    response.end(reply.body);
    return 'complete';
  }
  const body = reply.body ?? errorBody(reply.errorType, reply.message);
  endWithJson(response, reply.status, body, reply.headers);
  return 'complete';
}

async function sendWhole(reply: MessageReply, target: SendTarget): Promise<'complete' | 'cut'> {
  const { response, defaults, onStatus } = target;
  onStatus(200);
  const message = toWireMessage(reply, defaults);
  if (reply.breaksOff === undefined) {
    endWithJson(response, 200, message);
    return 'complete';
  }
  response.writeHead(200, { 'content-type': 'application/json' });
  response.flushHeaders();
  const text = JSON.stringify(message);
  if (reply.breaksOff.afterEvents > 0) await write(target, text.slice(0, text.length / 2));
  return breakOff({ ...reply.breaksOff, how: silentOrCut(reply.breaksOff) }, target);
}

async function sendStream(reply: MessageReply, target: SendTarget): Promise<'complete' | 'cut'> {
  const { response, defaults, onStatus } = target;
  const events = toWireEvents(toWireMessage(reply, defaults), reply.chunkLength);
  onStatus(200);
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' });
  response.flushHeaders();
  for (const [sent, event] of events.entries()) {
    if (reply.breaksOff?.afterEvents === sent) return breakOff(reply.breaksOff, target);
    if (reply.hold?.afterEvents === sent) await waitAtGate(reply.hold, target);
    if (sent > 0) await pause(reply.eventDelayMs, target.signal);
    await writeEvent(target, event);
  }
  if (reply.breaksOff !== undefined) return breakOff(reply.breaksOff, target);
  if ((reply.hold?.afterEvents ?? -1) >= events.length) await waitAtGate(reply.hold, target);
  response.end();
  return 'complete';
}

async function breakOff(how: StreamBreak, target: SendTarget): Promise<'cut'> {
  switch (how.how) {
    case 'cut':
      target.response.destroy();
      return 'cut';
    case 'error':
      await writeEvent(target, {
        type: 'error',
        error: {
          type: how.errorType ?? 'overloaded_error',
          message: how.message ?? 'Overloaded',
        },
      });
      target.response.end();
      return 'cut';
    case 'silence':
      await whenAborted(target.signal);
      throw new SendAborted();
  }
}

/** An error event has no place in a JSON answer; there the connection is cut instead. */
function silentOrCut(breaksOff: StreamBreak): 'cut' | 'silence' {
  return breaksOff.how === 'silence' ? 'silence' : 'cut';
}

function holdsInStream(reply: Reply, target: SendTarget): boolean {
  return reply.type === 'message' && target.stream && reply.hold?.afterEvents !== undefined;
}

async function waitAtGate(hold: ReplyHold | undefined, target: SendTarget): Promise<void> {
  if (hold === undefined) return;
  await target.gates.wait(hold.name, target.signal);
  if (target.signal.aborted) throw new SendAborted();
}

function writeEvent(target: SendTarget, event: WireEvent): Promise<void> {
  return write(target, `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`);
}

/** Resolves when the kernel has the bytes, so that a cut after it does not take them back. */
function write({ response, signal }: SendTarget, text: string): Promise<void> {
  if (signal.aborted) return Promise.reject(new SendAborted());
  return new Promise((resolve, reject) => {
    response.write(text, (error) => (error ? reject(new SendAborted()) : resolve()));
  });
}

async function pause(delayMs: number | undefined, signal: AbortSignal): Promise<void> {
  if (delayMs === undefined || delayMs === 0) return;
  try {
    await sleep(delayMs, undefined, { signal, ref: false });
  } catch {
    throw new SendAborted();
  }
}

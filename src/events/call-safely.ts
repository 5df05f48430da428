/**
 * Calls what a user gave. Never throws: an exception, or the rejection of a promise that an async
 * function returned against its type, goes to `onError`. A promise is not awaited.
 */
export function callSafely(call: () => unknown, onError: (error: unknown) => void): void {
  try {
    const returned = call();
    if (returned instanceof Promise) void returned.catch(onError);
  } catch (error) {
    onError(error);
  }
}

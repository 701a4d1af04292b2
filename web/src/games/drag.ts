// Something drawn by the finger: a small state machine over pointer events, so that a cancelled touch or a second finger
// leaves nothing behind. Pure: the table feeds it events and draws what it says.

export interface Drag<What> {
  readonly pointer: number;
  /** What is drawn: a game's own. */
  readonly what: What;
  readonly x0: number;
  readonly y0: number;
  readonly x: number;
  readonly y: number;
  /** False until the pointer has moved far enough to be no tap. */
  readonly moving: boolean;
}

export interface PointerLike {
  readonly type: string;
  readonly pointerId: number;
  readonly clientX: number;
  readonly clientY: number;
}

/** Pixels a pointer may wander and still be a tap. */
const SLOP = 9;

/** A drag that may begin with this press. */
export function press<What>(event: PointerLike, what: What): Drag<What> {
  const { pointerId, clientX, clientY } = event;
  return { pointer: pointerId, what, x0: clientX, y0: clientY, x: clientX, y: clientY, moving: false };
}

/**
 * The drag after a pointer event and whether something was dropped by it. A second pointer pressed anywhere, a cancelled
 * or captured-away pointer ends the drag without a drop.
 */
export function follow<What>(drag: Drag<What> | null, event: PointerLike): { drag: Drag<What> | null; dropped: Drag<What> | null } {
  if (!drag) return { drag: null, dropped: null };
  if (event.type === 'pointerdown') return { drag: event.pointerId === drag.pointer ? drag : null, dropped: null };
  if (event.pointerId !== drag.pointer) return { drag, dropped: null };
  if (event.type === 'pointerup') return { drag: null, dropped: drag.moving ? { ...drag, x: event.clientX, y: event.clientY } : null };
  if (event.type === 'pointermove') {
    const moving = drag.moving || Math.hypot(event.clientX - drag.x0, event.clientY - drag.y0) > SLOP;
    return { drag: { ...drag, x: event.clientX, y: event.clientY, moving }, dropped: null };
  }
  return { drag: null, dropped: null };
}

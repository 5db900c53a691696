import classes from './event-dot.module.css';
import type { EventLook } from './event-look.ts';

/** An event's icon in a ring of its colour. Decorative: what happened stands beside it in words. */
export function EventDot({ look, small = false }: { look: Omit<EventLook, 'weight'>; small?: boolean }) {
  const { Icon, tone } = look;
  return (
    <span className={`${classes.dot} ${classes[tone]} ${small ? classes.small : ''}`} aria-hidden="true">
      <Icon size={12} />
    </span>
  );
}

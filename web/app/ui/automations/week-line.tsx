import type { ActivityOfAutomation } from './automation-queries.ts';
import './week-line.css';

const DAYS = 7;
const WIDTH = 84;
const HEIGHT = 24;
const GAP = 2;
const KINDS = ['sent', 'held', 'failed'] as const;

/** One bar per day, oldest first: what was sent below, what is held above it, what failed on top. */
export function WeekLine({ days }: { days: ActivityOfAutomation['days'] }) {
  const bars = Array.from({ length: DAYS }, (_, index) => {
    const { sent = 0, held = 0, failed = 0 } = days.find(({ daysAgo }) => daysAgo === DAYS - 1 - index) ?? {};
    return { sent, held, failed };
  });
  const most = Math.max(1, ...bars.map(({ sent, held, failed }) => sent + held + failed));
  const total = (kind: (typeof KINDS)[number]) => bars.reduce((sum, bar) => sum + bar[kind], 0);
  const step = WIDTH / DAYS;
  return (
    <svg
      className="week-line"
      role="img"
      width={WIDTH}
      height={HEIGHT}
      aria-label={`In 7 days ${KINDS.map((kind) => `${total(kind)} ${kind}`).join(', ')}`}
    >
      {bars.map((bar, index) => {
        let top = HEIGHT - 1;
        return KINDS.map((kind) => {
          const height = bar[kind] === 0 ? 0 : Math.max(2, (bar[kind] / most) * (HEIGHT - 2));
          top -= height;
          const key = `${DAYS - 1 - index} ${kind}`;
          return <rect key={key} data-kind={kind} x={index * step} y={top} width={step - GAP} height={height} />;
        });
      })}
      <line x1={0} x2={WIDTH - GAP} y1={HEIGHT - 0.5} y2={HEIGHT - 0.5} />
    </svg>
  );
}

#include "net/loop.h"

#include <uv.h>

#include <utility>

#include "base/check.h"
#include "net/loop_state.h"
#include "net/timer.h"

namespace transom {

namespace {

constexpr std::chrono::milliseconds kLagInterval{100};
// run() destroys what is buried last; what those bury in turn is followed this far.
constexpr int kLastRounds = 100;

// The vendor's clock and steady_clock are both CLOCK_MONOTONIC, the former cut to milliseconds: a timer that is due at
// or before the vendor's time is never early.
TimePoint vendor_time(const uv_loop_t& loop) { return TimePoint(std::chrono::milliseconds(uv_now(&loop))); }

uint64_t due_ms(TimePoint when) {
  if (when <= TimePoint{}) {
    return 0;
  }
  return static_cast<uint64_t>(std::chrono::ceil<std::chrono::milliseconds>(when.time_since_epoch()).count());
}

}  // namespace

Flushable::~Flushable() {
  if (marked_on_ != nullptr) {
    marked_on_->state_->take_mark_back(*this, mark_index_);
  }
}

void Loop::State::take_mark_back(Flushable& flushable, size_t index) {
  if (index < flushing.size() && flushing[index] == &flushable) {
    flushing[index] = nullptr;
    return;
  }
  marked[index] = marked.back();
  marked[index]->mark_index_ = index;
  marked.pop_back();
}

void Loop::State::run_phase() {
  flush_marks();
  run_deferred();
  has_now = false;
}

void Loop::State::flush_marks() {
  flushing.swap(marked);
  for (size_t i = 0; i < flushing.size(); ++i) {
    Flushable* flushable = flushing[i];
    if (flushable != nullptr) {
      flushing[i] = nullptr;
      flushable->marked_on_ = nullptr;
      flushable->flush();
    }
  }
  flushing.clear();
}

void Loop::State::run_deferred() {
  ending.swap(deferred);
  for (Deferred& each : ending) {
    if (each.action) {
      each.action();
      each.action = nullptr;
    }
    each.dead.reset();
  }
  ending.clear();
}

void Loop::State::arm() {
  if (timers.empty()) {
    if (alarm_ms != kNoAlarm) {
      uv_timer_stop(&alarm);
      alarm_ms = kNoAlarm;
    }
    return;
  }
  uint64_t due = due_ms(timers.earliest());
  if (due == alarm_ms) {
    return;
  }
  alarm_ms = due;
  uint64_t now_ms = uv_now(&uv);
  uv_timer_start(
      &alarm,
      [](uv_timer_t* handle) {
        State* state = static_cast<State*>(handle->data);
        state->alarm_ms = kNoAlarm;
        state->timers.expire(vendor_time(state->uv));
      },
      due > now_ms ? due - now_ms : 0, 0);
}

Loop::Loop() : state_(std::make_unique<State>()) {
  State* state = state_.get();
  check(uv_loop_init(&state->uv) == 0, "no event loop can be made");
  uv_prepare_init(&state->uv, &state->prepare);
  uv_check_init(&state->uv, &state->check);
  uv_idle_init(&state->uv, &state->idle);
  uv_timer_init(&state->uv, &state->alarm);
  state->prepare.data = state->check.data = state->alarm.data = state;

  uv_prepare_start(&state->prepare, [](uv_prepare_t* handle) {
    State* state = static_cast<State*>(handle->data);
    state->run_phase();
    state->arm();
    if (state->has_work()) {
      uv_idle_start(&state->idle, [](uv_idle_t*) {});
    }
  });
  // What this phase leaves over is taken up by the next turn's prepare phase, which no wait precedes.
  uv_check_start(&state->check, [](uv_check_t* handle) {
    State* state = static_cast<State*>(handle->data);
    uv_idle_stop(&state->idle);
    state->run_phase();
  });
}

Loop::~Loop() {
  State& state = *state_;
  state.lag_timer.reset();
  while (!state.deferred.empty()) {
    std::vector<State::Deferred> dropped = std::move(state.deferred);
    state.deferred.clear();
  }
  for (uv_handle_t* handle :
       {reinterpret_cast<uv_handle_t*>(&state.prepare), reinterpret_cast<uv_handle_t*>(&state.check),
        reinterpret_cast<uv_handle_t*>(&state.idle), reinterpret_cast<uv_handle_t*>(&state.alarm)}) {
    uv_close(handle, nullptr);
  }
  while (uv_run(&state.uv, UV_RUN_NOWAIT) != 0) {
    bool all_closing = true;
    uv_walk(
        &state.uv,
        [](uv_handle_t* handle, void* result) {
          *static_cast<bool*>(result) = *static_cast<bool*>(result) && uv_is_closing(handle) != 0;
        },
        &all_closing);
    check(all_closing, "something still stands on the loop");
  }
  check(state.marked.empty() && state.timers.empty(), "something still stands on the loop");
  check(uv_loop_close(&state.uv) == 0, "something still stands on the loop");
}

void Loop::run() {
  check(!state_->is_running, "the loop runs already");
  state_->is_running = true;
  uv_run(&state_->uv, UV_RUN_DEFAULT);
  for (int round = 0; round < kLastRounds && !state_->deferred.empty(); ++round) {
    state_->run_deferred();
  }
  state_->is_running = false;
  state_->has_now = false;
}

void Loop::stop() { uv_stop(&state_->uv); }

TimePoint Loop::now() const {
  State& state = *state_;
  if (!state.has_now) {
    state.now = Clock::now();
    state.has_now = state.is_running;
  }
  return state.now;
}

void Loop::mark(Flushable& flushable) {
  if (flushable.marked_on_ != nullptr) {
    return;
  }
  flushable.marked_on_ = this;
  flushable.mark_index_ = state_->marked.size();
  state_->marked.push_back(&flushable);
}

void Loop::bury_erased(Erased dead) { state_->deferred.push_back({nullptr, std::move(dead)}); }

void Loop::defer(std::function<void()> action) {
  state_->deferred.push_back({std::move(action), Erased(nullptr, [](void*) {})});
}

uv_loop_s* Loop::handle() { return &state_->uv; }

LoopBuffers& Loop::buffers() {
  if (state_->buffers == nullptr) {
    state_->buffers = std::make_unique<LoopBuffers>();
  }
  return *state_->buffers;
}

void Loop::State::start_lag_timer() {
  // On a whole millisecond, since timers are rounded up to one.
  lag_due = TimePoint(std::chrono::ceil<std::chrono::milliseconds>((Clock::now() + kLagInterval).time_since_epoch()));
  lag_timer->start_at(lag_due);
}

void Loop::set_lag_observer(std::function<void(std::chrono::nanoseconds)> observer) {
  State* state = state_.get();
  state->lag_observer = std::move(observer);
  state->lag_timer.reset();
  if (state->lag_observer) {
    state->lag_timer = std::make_unique<Timer>(*this, [state] {
      state->lag_observer(Clock::now() - state->lag_due);
      state->start_lag_timer();
    });
    state->start_lag_timer();
  }
}

}  // namespace transom

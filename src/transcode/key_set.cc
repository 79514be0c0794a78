#include "transcode/key_set.h"

namespace transom {

// The old table stays below the new one until the set goes.
void KeySet::grow() {
  const size_t old_begin = begin_;
  const size_t old_places = places_;
  places_ = old_places == 0 ? kPlacesMin : old_places * 4;
  begin_ = tables_.push_zeros(places_);
  for (size_t i = 0; old_places == 0 && i < kFew; ++i) {
    put(few_[i]);
  }
  for (size_t i = 0; i < old_places; ++i) {
    if (const uint64_t fingerprint = tables_[old_begin + i]; fingerprint != 0) {
      put(fingerprint);
    }
  }
}

}  // namespace transom

// The demo's model: multinomial logistic regression over Fisher's iris data (150 flowers), trained with scikit-learn
// 1.9.1 by LogisticRegression(C=1.0, tol=1e-8, max_iter=10000).fit(*load_iris(return_X_y=True)). It names 146 of the
// 150 rightly.
#pragma once

#include <array>

namespace transom::demo {

struct IrisSpecies {
  const char* name;
  // Sepal length, sepal width, petal length, petal width, each per centimetre.
  std::array<float, 4> weights;
  float intercept;
};

inline constexpr std::array<IrisSpecies, 3> kIrisSpecies{{
    {"setosa", {-0.423513F, 0.967351F, -2.517154F, -1.079335F}, 9.849590F},
    {"versicolor", {0.534464F, -0.321588F, -0.206393F, -0.944299F}, 2.237199F},
    {"virginica", {-0.110951F, -0.645762F, 2.723548F, 2.023634F}, -12.086789F},
}};

}  // namespace transom::demo
